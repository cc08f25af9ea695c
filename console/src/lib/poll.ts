// When to ask again: 1, 2, 4 … 32 s, as pure functions; the clock and the network are the caller's.

const GAPS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000] as const
const HOLD_STEP = 2

/** What the last answer brought. */
export type PollOutcome = 'status' | 'counts' | 'unchanged' | 'error'

/** How many steps up the ladder the next gap stands. */
export type PollStep = number

export const firstStep: PollStep = 0

/** The gap before the next question, in milliseconds; a longer Retry-After wins. */
export function gapMs(step: PollStep, retryAfterMs = 0): number {
  const gap = GAPS_MS[Math.min(step, GAPS_MS.length - 1)] ?? 32_000
  return Math.max(gap, retryAfterMs)
}

/** A changed status starts over, changed counts hold the gap (at most 4 s), all else doubles it; an error counts as a step. */
export function nextStep(step: PollStep, outcome: PollOutcome): PollStep {
  if (outcome === 'status') return firstStep
  if (outcome === 'counts') return Math.min(step, HOLD_STEP)
  return Math.min(step + 1, GAPS_MS.length - 1)
}
