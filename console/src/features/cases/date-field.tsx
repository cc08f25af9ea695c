// A day typed as dd.MM.yyyy or picked from a calendar that is loaded when it is first opened.
import { lazy, Suspense, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { Popover } from '@/components/ui/menu'
import { day, parseDay } from '@/lib/format'
import { useTyped } from '@/lib/use-typed'
import { t } from './texts'

const Calendar = lazy(() => import('@/components/ui/calendar'))

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
            trigger={<Button variant="ghost" size="mini" aria-label={`${t.openCalendar()}: ${label}`} title={t.openCalendar()}><Icon name="calendar" className="size-3.5" /></Button>}
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
      {bad ? <span role="alert" className="text-2xs text-err">{t.badDate()}</span> : null}
    </span>
  )
}
