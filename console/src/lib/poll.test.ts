// The ladder of gaps.
import { describe, expect, it } from 'vitest'
import { firstStep, gapMs, nextStep, type PollOutcome } from './poll'

function gaps(outcomes: PollOutcome[]): number[] {
  let step = firstStep
  return [gapMs(step), ...outcomes.map((outcome) => gapMs((step = nextStep(step, outcome))))].map((ms) => ms / 1000)
}

describe('polling', () => {
  it('doubles up to 32 s and stays there', () => {
    expect(gaps(Array(7).fill('unchanged'))).toEqual([1, 2, 4, 8, 16, 32, 32, 32])
  })
  it('counts an error as a step', () => {
    expect(gaps(['error', 'error', 'unchanged'])).toEqual([1, 2, 4, 8])
  })
  it('starts over when the status changes', () => {
    expect(gaps(['unchanged', 'unchanged', 'unchanged', 'status'])).toEqual([1, 2, 4, 8, 1])
  })
  it('holds the gap while counts change, at most 4 s', () => {
    expect(gaps(['counts', 'counts'])).toEqual([1, 1, 1])
    expect(gaps(['unchanged', 'counts', 'counts'])).toEqual([1, 2, 2, 2])
    expect(gaps(['unchanged', 'unchanged', 'unchanged', 'unchanged', 'counts', 'counts'])).toEqual([1, 2, 4, 8, 16, 4, 4])
  })
  it('obeys a longer Retry-After', () => {
    expect(gapMs(firstStep, 20_000)).toBe(20_000)
    expect(gapMs(4, 5_000)).toBe(16_000)
  })
})
