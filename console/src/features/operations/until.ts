// Until when a pause holds, by Tallinn's clock; pure.
import { isoDay, parseDay } from '@/lib/format'
import { tallinn } from '@/lib/zone'

export const UNTIL = ['hour', 'day', 'at', 'open'] as const
export type UntilChoice = (typeof UNTIL)[number]

/** "9:30", "9.30" or "930" as "09:30"; null when there is no such time. */
export function parseTime(typed: string): string | null {
  const match = /^\s*(\d{1,2})(?:[:.]?(\d{2}))?\s*$/.exec(typed)
  if (!match) return null
  const [hour, minute] = [Number(match[1]), Number(match[2] ?? 0)]
  return hour < 24 && minute < 60 ? `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}` : null
}

/** The midnight that ends the day. */
export function endOfDay(now: number): string {
  const next = new Date(Date.parse(`${isoDay(now)}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  return tallinn(next)
}

export type Typed = { choice: UntilChoice; day: string; time: string }

/** What goes to the server: an instant, null for an open end, or why the typed time is none. */
export function untilOf({ choice, day, time }: Typed, now: number): { until: string | null } | { bad: 'day' | 'time' | 'past' } {
  if (choice === 'open') return { until: null }
  if (choice === 'hour') return { until: new Date(now + 3_600_000).toISOString() }
  if (choice === 'day') return { until: endOfDay(now) }
  const readDay = parseDay(day)
  if (readDay === null) return { bad: 'day' }
  const readTime = parseTime(time)
  if (readTime === null) return { bad: 'time' }
  const at = tallinn(readDay, readTime)
  return Date.parse(at) > now ? { until: at } : { bad: 'past' }
}
