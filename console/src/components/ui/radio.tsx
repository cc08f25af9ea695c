// A choice of one from a few words: native radio buttons with the group's name.
import { useId } from 'react'
import { cn } from '@/lib/utils'

export function Radios<T extends string>({ label, options, value, onChange, className }: { label: string; options: Array<{ value: T; word: string }>; value: T; onChange: (value: T) => void; className?: string }) {
  const name = useId()
  return (
    <fieldset data-slot="radios" className={cn('flex flex-wrap gap-x-5', className)}>
      <legend className="mb-1 text-xs font-medium">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="flex min-h-7 items-center gap-1.5">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="relative inline-grid size-3.5 shrink-0 appearance-none place-items-center rounded-full border-[1.5px] border-input bg-card before:absolute before:-inset-[6.5px] checked:border-ring checked:after:size-[6px] checked:after:rounded-full checked:after:bg-ring"
          />
          {option.word}
        </label>
      ))}
    </fieldset>
  )
}
