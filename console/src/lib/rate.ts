// Pace and expected end of an action under way, as the server tells them: the same for whoever asks.
import type { Movement } from '@/api/operations'
import { hourMinute } from './format'

export type Course = { perSecond: number | null; leftSeconds: [number, number] | null; stalledSeconds: number | null }

const STALLED_MS = 60_000

/** For how long nothing has moved once that is a minute; a pace of before foretells nothing where it `stands`. */
export function courseOf(movement: Movement | null, stands: boolean, now: number): Course {
  if (!movement) return { perSecond: null, leftSeconds: null, stalledSeconds: null }
  const still = now - Date.parse(movement.movesSince)
  const stalledSeconds = still >= STALLED_MS ? Math.floor(still / 1000) : null
  if (stands || stalledSeconds !== null || !movement.perMinute) return { perSecond: null, leftSeconds: null, stalledSeconds }
  const left = movement.leftSeconds
  return { perSecond: movement.perMinute / 60, leftSeconds: left ? [left.least, left.most] : null, stalledSeconds }
}

/** "7–10 min", "20–30 s", "1–2 h". */
export function leftWords([low, high]: [number, number]): string {
  const say = (unit: number, word: string) => {
    const a = Math.max(1, Math.floor(low / unit))
    const b = Math.max(a, Math.ceil(high / unit))
    return a === b ? `${a}\u00a0${word}` : `${a}–${b}\u00a0${word}`
  }
  if (high < 90) return say(1, 's')
  if (high < 5_400) return say(60, 'min')
  return say(3_600, 'h')
}

/** "14:02–14:05"; none where the end is not known. */
export function endWords(course: Course, now: number): string | null {
  if (!course.leftSeconds) return null
  const [low, high] = course.leftSeconds.map((seconds) => hourMinute(now + seconds * 1000))
  return low === high ? (low ?? null) : `${low}–${high}`
}

/** "1 min 12 s". */
export function stillWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes > 0 ? `${minutes}\u00a0min ${seconds % 60}\u00a0s` : `${seconds}\u00a0s`
}
