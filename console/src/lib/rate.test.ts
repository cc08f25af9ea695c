// Pace, end and stalls.
import { describe, expect, it } from 'vitest'
import type { Movement } from '@/api/operations'
import { courseOf, endWords, leftWords, stillWords } from './rate'

const START = Date.parse('2026-11-27T12:00:00Z')
const moving: Movement = { perMinute: 90, leftSeconds: { least: 8, most: 12 }, movesSince: '2026-11-27T12:00:00Z', bars: [] }

describe('the course of an action', () => {
  it('is told as the server says it', () => {
    expect(courseOf(moving, false, START + 59_000)).toEqual({ perSecond: 1.5, leftSeconds: [8, 12], stalledSeconds: null })
    expect(courseOf({ ...moving, perMinute: null, leftSeconds: null }, false, START)).toEqual({ perSecond: null, leftSeconds: null, stalledSeconds: null })
  })
  it('foretells nothing where it stands, and says that nothing has moved after a minute, not before', () => {
    expect(courseOf(moving, true, START)).toEqual({ perSecond: null, leftSeconds: null, stalledSeconds: null })
    expect(courseOf(moving, true, START + 72_000).stalledSeconds).toBe(72)
    expect(courseOf(moving, false, START + 60_000)).toEqual({ perSecond: null, leftSeconds: null, stalledSeconds: 60 })
  })
  it('is not known of what is over', () => {
    expect(courseOf(null, false, START)).toEqual({ perSecond: null, leftSeconds: null, stalledSeconds: null })
  })
  it('ends within a range of the clock, or at one time', () => {
    expect(endWords(courseOf({ ...moving, leftSeconds: { least: 60, most: 180 } }, false, START), START)).toBe('14:01–14:03')
    expect(endWords(courseOf(moving, false, START), START)).toBe('14:00')
    expect(endWords(courseOf(moving, true, START), START)).toBeNull()
  })
  it.each([[[24, 36], '24–36\u00a0s'], [[420, 600], '7–10\u00a0min'], [[0.1, 0.4], '1\u00a0s'], [[3_600, 7_200], '1–2\u00a0h']] as Array<[[number, number], string]>)('%j s are %s', (range, words) => {
    expect(leftWords(range)).toBe(words)
  })
  it('writes how long it has been still', () => {
    expect([stillWords(72), stillWords(60)]).toEqual(['1\u00a0min 12\u00a0s', '1\u00a0min 0\u00a0s'])
  })
})
