import { describe, expect, it } from 'vitest'
import { clockChange } from '@/lib/zone'
import { scheduleWord } from './schedule'

describe('a pattern', () => {
  it.each([
    ['15 4 * * *', 'iga päev kell 04:15'],
    ['5,20,35,50 * * * *', 'iga 15 min'],
    ['*/5 * * * *', 'iga 5 min'],
    ['* * * * *', 'iga minut'],
    ['* * * * * *', 'iga sekund'],
    ['0 * * * *', 'iga tund'],
    ['7 * * * *', 'iga tund, 7 minutit üle täistunni'],
    ['0 8 * * 1-5', 'tööpäeviti kell 08:00'],
    ['30 7 * * 1', 'esmaspäeviti kell 07:30'],
    ['0 0 * * 7', 'pühapäeviti kell 00:00'],
    ['0 8,12,20 * * *', 'iga päev kell 08:00, 12:00 ja 20:00'],
    ['30 6 1 * *', 'iga kuu 1. päeval kell 06:30'],
  ])('%j is said as %j', (pattern, words) => {
    expect(scheduleWord(pattern)).toBe(words)
  })
  it.each(['0 0 29 2 *', '5,20,30 * * * *', '*/7 * * * *', '0 8-17 * * *', '0 8 1 * 1', '*/15 * * * 1', '15,45 4 * * *', 'nonsense', '* 4 * * *'])('%j without short words stays as it is', (pattern) => {
    expect(scheduleWord(pattern)).toBe(pattern)
  })
})

describe('the clock', () => {
  const change = (from: string, to: string) => {
    const found = clockChange(Date.parse(from), Date.parse(to))
    return found && [new Date(found.at).toISOString(), found.turn]
  }
  it('is put forward in March and back in October, at an instant of its own', () => {
    expect(change('2027-03-27T02:15:00Z', '2027-03-28T01:15:00Z')).toEqual(['2027-03-28T01:00:00.000Z', 1])
    expect(change('2026-10-24T01:15:00Z', '2026-10-25T02:15:00Z')).toEqual(['2026-10-25T01:00:00.000Z', -1])
    expect(change('2026-10-25T00:59:59.500Z', '2026-10-25T01:00:00Z')).toEqual(['2026-10-25T01:00:00.000Z', -1])
  })
  it('stays as it is at other times', () => {
    expect(change('2026-11-29T18:00:00Z', '2026-12-04T02:15:00Z')).toBeNull()
    expect(change('2026-11-29T18:00:00.123Z', '2026-11-29T18:00:00.900Z')).toBeNull()
  })
})
