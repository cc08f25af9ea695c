// Text fields with their label, hint and error; the edge keeps a contrast of 3 : 1.
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from '@/lib/utils'

export type InputProps = Omit<ComponentProps<'input'>, 'size'> & { before?: ReactNode; after?: ReactNode; large?: boolean; invalid?: boolean; boxClassName?: string }

export function Input({ before, after, large = false, invalid = false, boxClassName, className, ...props }: InputProps) {
  return (
    <span
      data-slot="input"
      className={cn(
        'flex min-w-0 items-center gap-1.5 rounded-md border border-input bg-card px-2 dark:bg-[color-mix(in_oklab,var(--card)_60%,var(--background))] [&_svg]:text-muted-foreground',
        'focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-ring has-disabled:border-border has-disabled:bg-muted',
        large ? 'h-9 px-2.5' : 'h-7',
        invalid && 'border-err-solid',
        boxClassName,
      )}
    >
      {before}
      <input data-slot="input-control" aria-invalid={invalid || undefined} className={cn('w-full min-w-0 bg-transparent outline-none disabled:text-muted-foreground', className)} {...props} />
      {after}
    </span>
  )
}

export function Label({ className, ...props }: ComponentProps<'label'>) {
  // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the caller says which control by htmlFor
  return <label data-slot="label" className={cn('block text-xs font-medium', className)} {...props} />
}

export function Hint({ className, ...props }: ComponentProps<'p'>) {
  return <p data-slot="hint" className={cn('text-xs text-muted-foreground', className)} {...props} />
}

/** A labelled field; the child function gets the ids that tie label, hint and control. */
export function Field({ label, hint, error, children }: { label: string; hint?: ReactNode; error?: string | null; children: (ids: { id: string; 'aria-describedby'?: string }) => ReactNode }) {
  const id = useId()
  const note = error ?? hint
  return (
    <div data-slot="field" className="grid gap-1.5">
      <Label htmlFor={id}>{label}</Label>
      {children({ id, ...(note ? { 'aria-describedby': `${id}-note` } : {}) })}
      {note ? <Hint id={`${id}-note`} className={cn(error && 'text-err')}>{note}</Hint> : null}
    </div>
  )
}
