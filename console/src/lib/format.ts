// Numbers, money, dates and durations as they are shown; Estonian habits in both languages, Tallinn's clock everywhere.
import { language } from './texts'

const ZONE = 'Europe/Tallinn'

/** Formatters cost milliseconds to make: each is made when it is first used. */
function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
const tenth = once(() => new Intl.NumberFormat('et-EE', { useGrouping: 'always', maximumFractionDigits: 1 }))

/** 8214 → "8 214" with a non-breaking space. */
export function num(value: number): string {
  const size = String(Math.abs(Math.round(value))).replace(/\B(?=(?:\d{3})+$)/g, '\u00a0')
  return value < 0 && size !== '0' ? `\u2212${size}` : size
}

/** 0.619 → "61,9 %"; never 100 % before the end. */
export function percent(part: number, total: number): string {
  if (total <= 0) return '0 %'
  const share = Math.floor((part / total) * 1000) / 10
  return `${tenth().format(share)}\u00a0%`
}

/** 6.24 → "6,2". */
export function decimal(value: number): string {
  return tenth().format(value)
}

/** Splits cents for the ledger look: whole euros and ",50". */
export function splitCents(cents: number): { euros: string; rest: string } {
  const size = Math.abs(cents)
  const euros = num(Math.floor(size / 100))
  return { euros: cents < 0 ? `\u2212${euros}` : euros, rest: `,${String(size % 100).padStart(2, '0')}` }
}

/** 128450 → "1 284,50 €". */
export function euros(cents: number): string {
  const { euros, rest } = splitCents(cents)
  return `${euros}${rest}\u00a0€`
}

/** Reads what a person types ("1 284,5", "1284.50"); null when it is not an amount with at most two decimals. */
export function parseCents(typed: string): number | null {
  const clean = typed.replace(/[\s\u00a0\u202f€]/g, '').replace('\u2212', '-').replace(',', '.')
  const match = /^(-?)(\d{1,11})(?:\.(\d{1,2}))?$/.exec(clean)
  if (!match) return null
  const cents = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0') || 0)
  return match[1] ? -cents : cents
}

type Parts = Record<Intl.DateTimeFormatPartTypes, string>
const clock = once(() => new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23',
}))

function parts(at: string | number | Date): Parts {
  const found = {} as Parts
  for (const part of clock().formatToParts(new Date(at))) found[part.type] = part.value
  return found
}

/** An instant as dd.MM.yyyy. */
export function dateOf(at: string | number | Date): string {
  const p = parts(at)
  return `${p.day}.${p.month}.${p.year}`
}

/** An instant as dd.MM.yyyy HH:mm. */
export function dateTime(at: string | number | Date): string {
  const p = parts(at)
  return `${p.day}.${p.month}.${p.year} ${p.hour}:${p.minute}`
}

/** An instant as HH:mm:ss. */
export function timeOf(at: string | number | Date): string {
  const p = parts(at)
  return `${p.hour}:${p.minute}:${p.second}`
}

/** An instant as HH:mm. */
export function hourMinute(at: string | number | Date): string {
  const p = parts(at)
  return `${p.hour}:${p.minute}`
}

/** An instant as yyyyMMdd_HHmmss, for file names. */
export function stamp(at: string | number | Date): string {
  const p = parts(at)
  return `${p.year}${p.month}${p.day}_${p.hour}${p.minute}${p.second}`
}

/** A time today, or a date and time on another day. */
export function whenMinute(at: string, now: number = Date.now()): string {
  return dateOf(at) === dateOf(now) ? hourMinute(at) : `${dateOf(at)} ${hourMinute(at)}`
}

/** As `whenMinute`, to the second. */
export function whenShort(at: string, now: number = Date.now()): string {
  return dateOf(at) === dateOf(now) ? timeOf(at) : dateTime(at)
}

/** A legal day "2026-11-27" → "27.11.2026"; anything else is returned as it is. */
export function day(iso: string): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso)
  return match ? `${match[3]}.${match[2]}.${match[1]}` : iso
}

/** Reads d.M.yyyy or dd.MM.yyyy into "yyyy-MM-dd"; null when there is no such day. */
export function parseDay(typed: string): string | null {
  const match = /^\s*(\d{1,2})\.(\d{1,2})\.(\d{4})\s*$/.exec(typed)
  if (!match) return null
  const [d, m, y] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const made = new Date(Date.UTC(y, m - 1, d))
  if (made.getUTCFullYear() !== y || made.getUTCMonth() !== m - 1 || made.getUTCDate() !== d) return null
  return made.toISOString().slice(0, 10)
}

const inFull = { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
const weekday = { et: once(() => new Intl.DateTimeFormat('et-EE', inFull)), en: once(() => new Intl.DateTimeFormat('en-GB', inFull)) }

/** A legal day in words: "Reede, 27. november 2026". */
export function longDay(iso: string): string {
  const said = weekday[language()]().format(new Date(`${iso.slice(0, 10)}T12:00:00Z`))
  return said.charAt(0).toUpperCase() + said.slice(1)
}

/** The legal day in Tallinn of an instant, as "yyyy-MM-dd". */
export function isoDay(at: string | number | Date): string {
  const p = parts(at)
  return `${p.year}-${p.month}-${p.day}`
}

/** How long something took, hh:mm:ss, at least one second. */
export function duration(startedAt: string, finishedAt: string | number): string {
  const seconds = Math.max(1, Math.round((new Date(finishedAt).getTime() - new Date(startedAt).getTime()) / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

const ago = { et: once(() => new Intl.RelativeTimeFormat('et', { numeric: 'auto' })), en: once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' })) }

/** "3 minutit tagasi". */
export function timeAgo(at: string, now: number = Date.now()): string {
  const seconds = Math.min(0, Math.round((new Date(at).getTime() - now) / 1000))
  const say = (value: number, unit: Intl.RelativeTimeFormatUnit) => ago[language()]().format(Math.ceil(value), unit)
  if (seconds > -60) return say(seconds, 'second')
  if (seconds > -3600) return say(seconds / 60, 'minute')
  if (seconds > -86_400) return say(seconds / 3600, 'hour')
  return say(seconds / 86_400, 'day')
}

/** How long an 'ago' label of this age stays true: 5 s, 60 s or 15 min. */
export function agoRefreshMs(at: string, now: number = Date.now()): number {
  const age = now - new Date(at).getTime()
  if (age < 60_000) return 5_000
  if (age < 86_400_000) return 60_000
  return 900_000
}
