// A month of days, Monday first; loaded only when a date field opens it.
import { DayPicker } from 'react-day-picker'
import { enGB, et } from 'react-day-picker/locale'
import { language } from '@/lib/texts'
import { cn } from '@/lib/utils'
import { buttonVariants } from './button'

function toDate(iso: string): Date {
  const [y = 0, m = 1, d = 1] = iso.split('-').map(Number)
  return new Date(y, m - 1, d)
}

function toIso(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const LAST = new Date(new Date().getFullYear() + 5, 11)

export default function Calendar({ value, onPick }: { value: string | undefined; onPick: (value: string | undefined) => void }) {
  const selected = value ? toDate(value) : undefined
  return (
    <DayPicker
      mode="single"
      autoFocus
      locale={language() === 'en' ? enGB : et}
      weekStartsOn={1}
      captionLayout="dropdown"
      startMonth={new Date(1990, 0)}
      endMonth={LAST}
      selected={selected}
      {...(selected ? { defaultMonth: selected } : {})}
      onSelect={(next) => onPick(next ? toIso(next) : undefined)}
      classNames={{
        root: 'relative',
        months: 'relative',
        nav: 'absolute top-0 right-0 flex gap-1',
        button_previous: cn(buttonVariants({ variant: 'ghost', size: 'icon' })),
        button_next: cn(buttonVariants({ variant: 'ghost', size: 'icon' })),
        month_caption: 'flex h-7 items-center pr-16',
        dropdowns: 'flex gap-2 font-medium',
        dropdown_root: 'relative',
        dropdown: 'absolute inset-0 cursor-pointer opacity-0',
        caption_label: 'inline-flex items-center gap-1 capitalize',
        chevron: 'size-3.5 fill-current',
        month_grid: 'mt-2 border-collapse',
        weekday: 'size-8 text-2xs font-medium text-muted-foreground',
        day: 'size-8 p-0 text-center',
        day_button: 'size-8 rounded-md hover:bg-accent',
        selected: '[&>button]:bg-foreground [&>button]:font-semibold [&>button]:text-card',
        today: '[&>button]:shadow-[inset_0_0_0_1px_var(--input)]',
        outside: 'text-muted-foreground',
      }}
    />
  )
}
