// Until when a rule is silenced, and the days of a week of hours, by Tallinn's clock; pure.
import { dateOf, hourMinute, isoDay } from '@/lib/format'
import { tallinn } from '@/lib/zone'

export const SILENCES = ['hour', 'morning', 'week'] as const
export type SilenceChoice = (typeof SILENCES)[number]

const HOUR_MS = 3_600_000

/** The instant that a choice means now. */
export function silencedUntil(choice: SilenceChoice, now: number): string {
  if (choice === 'hour') return new Date(now + HOUR_MS).toISOString()
  if (choice === 'week') return new Date(now + 168 * HOUR_MS).toISOString()
  const tomorrow = new Date(Date.parse(`${isoDay(now)}T12:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10)
  return tallinn(tomorrow, '08:00')
}

const WEEK_HOURS = 168

/** All hours of the week that ends then; of an hour that is not known the value is null. */
export function weekOf(known: ReadonlyArray<{ at: string; peak: number }>, to: string): Array<{ at: string; peak: number | null }> {
  const peaks = new Map(known.map(({ at, peak }) => [Date.parse(at), peak]))
  const last = Math.floor(Date.parse(to) / HOUR_MS) * HOUR_MS
  return Array.from({ length: WEEK_HOURS }, (_, index) => {
    const at = last - (WEEK_HOURS - 1 - index) * HOUR_MS
    return { at: new Date(at).toISOString(), peak: peaks.get(at) ?? null }
  })
}

/** Where each day begins among the hours: "24.11."; one that would be cut off at the right is left out. */
export function daysOf(hours: ReadonlyArray<{ at: string }>): Array<{ index: number; word: string }> {
  return hours.flatMap(({ at }, index) => (hourMinute(at).startsWith('00:') && index < hours.length - 8 ? [{ index, word: dateOf(at).slice(0, 6) }] : []))
}
