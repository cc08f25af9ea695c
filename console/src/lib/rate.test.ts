// Pace, end and stalls.
import { describe, expect, it } from 'vitest'
import { addSample, estimate, leftWords, type Sample, stillWords } from './rate'

const run = (seen: Array<[number, number]>): Sample[] => seen.reduce<Sample[]>((samples, [second, done]) => addSample(samples, { at: second * 1000, done }), [])

describe('estimates', () => {
  it('waits for three samples', () => {
    expect(estimate(run([[0, 0], [1, 10]]), 100, 1_000).perSecond).toBeNull()
    expect(estimate(run([[0, 0], [1, 10], [2, 20]]), 100, 2_000).perSecond).toBe(10)
  })
  it('gives the end as a range around the present pace', () => {
    const { leftSeconds } = estimate(run([[0, 0], [1, 10], [2, 20]]), 120, 2_000)
    expect(leftSeconds?.[0]).toBeCloseTo(8)
    expect(leftSeconds?.[1]).toBeCloseTo(12)
  })
  it('says that nothing has moved after a minute, not before', () => {
    const samples = run([[0, 0], [1, 10], [2, 20]])
    expect(estimate(samples, 100, 61_000).stalledSeconds).toBeNull()
    expect(estimate(samples, 100, 62_000)).toEqual({ perSecond: null, leftSeconds: null, stalledSeconds: 60 })
  })
  it('forgets old samples and starts over after a retry', () => {
    expect(run([[0, 0], [10, 5], [100, 50]])).toHaveLength(2)
    expect(run([[0, 0], [1, 50], [2, 3]])).toEqual([{ at: 2_000, done: 3 }])
  })
  it.each([[[24, 36], '24–36\u00a0s'], [[420, 600], '7–10\u00a0min'], [[0.1, 0.4], '1\u00a0s'], [[3_600, 7_200], '1–2\u00a0h']] as Array<[[number, number], string]>)('%j s are %s', (range, words) => {
    expect(leftWords(range)).toBe(words)
  })
  it('writes how long it has been still', () => {
    expect([stillWords(72), stillWords(60)]).toEqual(['1\u00a0min 12\u00a0s', '1\u00a0min 0\u00a0s'])
  })
})
