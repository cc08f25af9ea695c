// A native choice of one, in the look's clothes.
import type { ComponentProps } from 'react'
import { cn } from '@/lib/utils'
import { Icon } from './icons'

export type Option = { value: string; word: string }

export function Select({ options, large = false, invalid = false, className, boxClassName, ...props }: Omit<ComponentProps<'select'>, 'size'> & { options: Option[]; large?: boolean; invalid?: boolean; boxClassName?: string }) {
  return (
    <span data-slot="select" className={cn('relative grid', boxClassName)}>
      <select
        aria-invalid={invalid || undefined}
        className={cn(
          'w-full min-w-0 appearance-none truncate rounded-md border border-input bg-card pr-7 pl-2 dark:bg-[color-mix(in_oklab,var(--card)_60%,var(--background))] focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-ring disabled:border-border disabled:bg-muted',
          large ? 'h-9 pl-2.5' : 'h-7',
          invalid && 'border-err-solid',
          className,
        )}
        {...props}
      >
        {options.map((option) => <option key={option.value} value={option.value}>{option.word}</option>)}
      </select>
      <Icon name="down" className="pointer-events-none absolute top-1/2 right-2 size-3.5 -translate-y-1/2 text-muted-foreground" />
    </span>
  )
}
