// Pace and expected end of a running action, from the counts seen so far; pure.

export type Sample = { at: number; done: number }
export type Estimate = { perSecond: number | null; leftSeconds: [number, number] | null; stalledSeconds: number | null }

const WINDOW_MS = 60_000
const STALLED_MS = 60_000
/** How far the true end may lie from the present pace. */
const SPREAD = 0.2

/** Adds what was just seen; samples without movement and older than the window are dropped. */
export function addSample(samples: Sample[], next: Sample): Sample[] {
  const last = samples.at(-1)
  if (last && next.done < last.done) return [next]
  if (last && next.done === last.done) return samples
  return [...samples.filter((one, index) => next.at - one.at <= WINDOW_MS || index === samples.length - 1), next]
}

/** Pace after three samples, the end as a range, and for how long nothing has moved once that is a minute. */
export function estimate(samples: Sample[], total: number, now: number): Estimate {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last) return { perSecond: null, leftSeconds: null, stalledSeconds: null }
  const still = now - last.at
  const stalledSeconds = still >= STALLED_MS ? Math.floor(still / 1000) : null
  if (samples.length < 3 || last.at <= first.at) return { perSecond: null, leftSeconds: null, stalledSeconds }
  const perSecond = (last.done - first.done) / ((Math.max(now, last.at) - first.at) / 1000)
  if (perSecond <= 0 || stalledSeconds !== null) return { perSecond: null, leftSeconds: null, stalledSeconds }
  const left = (total - last.done) / perSecond
  return { perSecond, leftSeconds: [left * (1 - SPREAD), left * (1 + SPREAD)], stalledSeconds }
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

/** "1 min 12 s". */
export function stillWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes > 0 ? `${minutes}\u00a0min ${seconds % 60}\u00a0s` : `${seconds}\u00a0s`
}
