// Spans of time in a few signs: how old something is, how long it lasts; pure.
import { decimal } from './format'
import { text } from './texts'

const days = text((n: number) => `${n} p`, (n) => `${n} d`)
const nb = '\u00a0'

/** "6 s", "4 min", "1 h 20 min", "3 p". Below zero, as with two clocks that differ, it is "0 s". */
export function spanWord(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}${nb}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}${nb}min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return minutes % 60 === 0 ? `${hours}${nb}h` : `${hours}${nb}h ${minutes % 60}${nb}min`
  return days(Math.floor(hours / 24)).replace(' ', nb)
}

/** What lasts milliseconds or seconds: "85 ms", "1,9 s", "4 min". */
export function lastingWord(ms: number): string {
  if (ms < 100) return `${Math.round(ms)}${nb}ms`
  return ms < 60_000 ? `${decimal(ms / 1000)}${nb}s` : spanWord(ms)
}
