// A day typed as dd.MM.yyyy or picked from a calendar that is loaded when it is first opened.
import { lazy, Suspense, useState } from 'react'
import { Button } from './button'
import { Input } from './field'
import { Icon } from './icons'
import { Popover } from './menu'
import { day, parseDay } from '@/lib/format'
import { text } from '@/lib/texts'
import { useTyped } from '@/lib/use-typed'

const texts = {
  bad: text('Kuupäev on kujul pp.kk.aaaa.', 'Write the date as dd.MM.yyyy.'),
  open: text('Ava kalender', 'Open the calendar'),
}

const Calendar = lazy(() => import('./calendar'))

function readDay(typed: string): string | null {
  if (!typed.trim()) return ''
  const parsed = parseDay(typed)
  return parsed === null ? null : day(parsed)
}

export function DateField({ label, placeholder, value, onChange }: { label: string; placeholder: string; value: string | undefined; onChange: (value: string | undefined) => void }) {
  const [open, setOpen] = useState(false)
  const { field, bad, show } = useTyped(value ? day(value) : '', (text) => onChange(parseDay(text) ?? undefined), readDay)
  return (
    <span className="grid">
      <Input
        {...field}
        aria-label={label}
        placeholder={placeholder}
        invalid={bad}
        inputMode="numeric"
        boxClassName="gap-0.5 pr-0.5 pl-1.5"
        after={
          <Popover
            label={label}
            open={open}
            onOpenChange={setOpen}
            className="p-3"
            trigger={<Button variant="ghost" size="mini" aria-label={`${texts.open()}: ${label}`} title={texts.open()}><Icon name="calendar" className="size-3.5" /></Button>}
          >
            <Suspense fallback={<div className="h-64 w-60" />}>
              <Calendar
                value={value}
                onPick={(next) => {
                  show(next ? day(next) : '')
                  onChange(next)
                  setOpen(false)
                }}
              />
            </Suspense>
          </Popover>
        }
      />
      {bad ? <span role="alert" className="text-2xs text-err">{texts.bad()}</span> : null}
    </span>
  )
}
