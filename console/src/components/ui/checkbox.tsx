// Tick boxes, the switch, and the all / yes / no pair: native controls in the look's clothes.
import { type ComponentProps, useEffect, useId, useRef } from 'react'
import { cn } from '@/lib/utils'

export function Checkbox({ className, indeterminate = false, ...props }: Omit<ComponentProps<'input'>, 'type'> & { indeterminate?: boolean }) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <input
      ref={ref}
      type="checkbox"
      data-slot="checkbox"
      className={cn(
        'relative inline-grid size-3.5 shrink-0 appearance-none place-items-center rounded-[3px] border-[1.5px] border-input bg-card align-middle',
        'before:absolute before:-inset-[6.5px] checked:border-ring checked:bg-ring indeterminate:border-ring disabled:not-checked:opacity-50',
        'checked:after:h-1 checked:after:w-2 checked:after:-translate-y-px checked:after:-rotate-45 checked:after:border-b-[1.8px] checked:after:border-l-[1.8px] checked:after:border-card',
        'indeterminate:after:h-0.5 indeterminate:after:w-[7px] indeterminate:after:bg-ring',
        className,
      )}
      {...props}
    />
  )
}

export function CheckboxLabel({ label, className, ...props }: Omit<ComponentProps<'input'>, 'type'> & { label: string; indeterminate?: boolean }) {
  return (
    <label className={cn('flex min-h-6 items-center gap-1.5', className)}>
      <Checkbox {...props} />
      {label}
    </label>
  )
}

export function Switch({ label, hint, checked, onChange }: { label: string; hint?: string; checked: boolean; onChange: (checked: boolean) => void }) {
  const id = useId()
  return (
    <div className="flex items-start gap-2">
      <button
        type="button"
        role="switch"
        aria-checked={checked}
        aria-labelledby={id}
        onClick={() => onChange(!checked)}
        data-slot="switch"
        className={cn('relative mt-0.5 h-4 w-6.5 shrink-0 rounded-full p-0.5 before:absolute before:-inset-1', checked ? 'bg-ring' : 'bg-input')}
      >
        <span className={cn('block size-3 rounded-full bg-card transition-transform duration-100', checked && 'translate-x-2.5')} />
      </button>
      <span>
        <span id={id} className="block">{label}</span>
        {hint ? <span className="block text-xs text-muted-foreground">{hint}</span> : null}
      </span>
    </div>
  )
}

export type Tristate = boolean | undefined

/** Kõik rests quietly; Jah or Ei turns ink. */
export function Pair({ label, words, value, onChange }: { label: string; words: { all: string; yes: string; no: string }; value: Tristate; onChange: (value: Tristate) => void }) {
  const id = useId()
  const choices: Array<[Tristate, string]> = [[undefined, words.all], [true, words.yes], [false, words.no]]
  return (
    <div className="flex items-center justify-between gap-2" role="radiogroup" aria-labelledby={id}>
      <span id={id}>{label}</span>
      <span data-slot="pair" className="inline-flex h-6 overflow-hidden rounded-md border border-input has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-ring">
        {choices.map(([choice, word]) => (
          <label
            key={word}
            className={cn(
              'cursor-pointer border-l border-border px-[7px] text-xs leading-[22px] text-muted-foreground first:border-l-0',
              value === choice && (choice === undefined ? 'bg-muted text-foreground' : 'bg-foreground font-medium text-card'),
            )}
          >
            <input type="radio" name={id} className="sr-only" checked={value === choice} onChange={() => onChange(choice)} />
            {word}
          </label>
        ))}
      </span>
    </div>
  )
}
