// A sentence for others, which has a limit: shown once it is near, and told, never cut, when it is passed.
import { type ReactNode, type RefObject, useId } from 'react'
import { num } from '@/lib/format'
import { plural, text } from '@/lib/texts'
import { cn } from '@/lib/utils'
import { Field, Hint, Input, type InputProps } from './field'

const MOST = 500
const NEAR = 400

const texts = {
  left: text((n: number) => `Mahub veel ${num(n)} ${plural('et', n, 'märk', 'märki')}.`, (n) => `${num(n)} ${plural('en', n, 'character', 'characters')} left.`),
  over: text((n: number) => `Liiga pikk: kuni ${num(MOST)} märki, ${num(n)} on üle.`, (n) => `Too long: at most ${num(MOST)} characters, ${num(n)} too many.`),
}

const lengthOf = (typed: string) => [...typed.trim()].length

/** Why what was typed cannot be sent, or null where it can. */
export function tooLong(typed: string): string | null {
  const over = lengthOf(typed) - MOST
  return over > 0 ? texts.over(over) : null
}

/** What to say of its length under the field; null far from the limit. */
export function lengthNote(typed: string): string | null {
  const length = lengthOf(typed)
  return tooLong(typed) ?? (length >= NEAR ? texts.left(MOST - length) : null)
}

type Typed = Omit<InputProps, 'value' | 'onChange' | 'ref'> & { ref?: RefObject<HTMLInputElement | null>; value: string; onType: (typed: string) => void }

/** The control with its length under it; `describedBy`: what else describes it. */
export function LimitedInput({ value, onType, invalid = false, 'aria-describedby': describedBy, ref, ...props }: Typed) {
  const id = useId()
  const note = lengthNote(value)
  const long = tooLong(value) !== null
  return (
    <>
      <Input {...(ref ? { ref } : {})} invalid={invalid || long} value={value} onChange={(event) => onType(event.target.value)} aria-describedby={[note ? id : null, describedBy].filter(Boolean).join(' ') || undefined} {...props} />
      {note ? <Hint id={id} className={cn('num', long && 'text-err')}>{note}</Hint> : null}
    </>
  )
}

export function ReasonField({ label, hint, error, ...props }: { label: string; hint?: ReactNode; error?: string | null } & Typed) {
  return <Field label={label} hint={hint} {...(error === undefined ? {} : { error })}>{(ids) => <LimitedInput large {...props} {...ids} />}</Field>
}
