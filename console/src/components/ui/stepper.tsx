// A number with − and +; nothing typed means no limit.
import { useEffect, useId } from 'react'
import { num } from '@/lib/format'
import { Button } from './button'
import { text } from '@/lib/texts'
import { useTyped } from '@/lib/use-typed'

const texts = {
  less: text((what: string) => `${what}: vähem`, (what) => `${what}: less`),
  more: text((what: string) => `${what}: rohkem`, (what) => `${what}: more`),
  range: text((max: string) => `1–${max} või tühi`, (max) => `1–${max} or empty`),
}

/** The round numbers that − and + go through. */
const ROUND = [1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 80, 100, 150, 200, 300, 500, 1000]

/** The next round number up or down; down from no limit begins below `start`, else at the most; up from the most ends the limit. */
export function stepped(value: number | null, direction: 1 | -1, max: number, start?: number): number | null {
  const steps = ROUND.filter((one) => one < max).concat(max)
  if (value === null) return direction === 1 ? null : (start === undefined ? steps.at(-1) : steps.findLast((one) => one < start)) ?? 1
  if (direction === 1) return steps.find((one) => one > value) ?? null
  return steps.findLast((one) => one < value) ?? value
}

function read(typed: string, max: number): string | null {
  const clean = typed.replace(/[\s\u00a0]/g, '')
  if (clean === '') return ''
  return /^\d{1,6}$/.test(clean) && Number(clean) >= 1 && Number(clean) <= max ? String(Number(clean)) : null
}

export function Stepper({ label, none, value, max = 1000, start, reason, onBad, onChange }: { label: string; /** What stands there when there is no limit. */ none: string; value: number | null; max?: number; /** What it does without a limit, where steps down begin. */ start?: number; reason?: string | null; /** Told whether what is typed is a number of the range. */ onBad?: (bad: boolean) => void; onChange: (value: number | null) => void }) {
  const { field, bad } = useTyped(value === null ? '' : String(value), (typed) => {
    const next = read(typed, max)
    if (next !== null) onChange(next === '' ? null : Number(next))
  }, (typed) => read(typed, max), 800)
  const closed = reason ?? null
  const id = useId()
  // While it is typed nobody is told off, but nothing is sent with it either.
  const outside = read(field.value, max) === null
  useEffect(() => onBad?.(outside), [onBad, outside])
  return (
    <span className="inline-grid w-fit gap-0.5">
      <span data-slot="stepper" className="inline-flex h-7 items-stretch max-sm:h-10">
        <Button className="w-7 rounded-r-none px-0 max-sm:h-10 max-sm:w-10" repeats aria-label={texts.less(label)} reason={closed} disabled={value === 1} onClick={() => onChange(stepped(value, -1, max, start))}>−</Button>
        <input
          {...field}
          aria-label={label}
          aria-invalid={bad || undefined}
          aria-describedby={bad ? id : undefined}
          inputMode="numeric"
          placeholder={none}
          disabled={closed !== null}
          className="num w-20 border-y border-input bg-card text-center font-medium -outline-offset-2 disabled:bg-muted disabled:text-muted-foreground aria-invalid:border-err-solid max-sm:h-10"
        />
        <Button className="w-7 rounded-l-none px-0 max-sm:h-10 max-sm:w-10" repeats aria-label={texts.more(label)} reason={closed} disabled={value === null} onClick={() => onChange(stepped(value, 1, max))}>+</Button>
      </span>
      {bad ? <span id={id} role="alert" className="text-2xs text-err">{texts.range(num(max))}</span> : null}
    </span>
  )
}
