// Figures and dates as Estonians write them.
import { describe, expect, it } from 'vitest'
import { agoRefreshMs, dateTime, duration, euros, longDay, num, parseCents, parseDay, percent, splitCents, stamp } from './format'

const NB = '\u00a0'

describe('numbers and money', () => {
  it.each([[0, '0'], [999, '999'], [8214, `8${NB}214`], [1_000_000, `1${NB}000${NB}000`]])('%d is written %s', (value, shown) => {
    expect(num(value)).toBe(shown)
  })

  it.each([[128450, `1${NB}284,50${NB}€`], [5, `0,05${NB}€`], [0, `0,00${NB}€`], [-128450, `\u22121${NB}284,50${NB}€`], [-5, `\u22120,05${NB}€`]])('%d cents are %s', (cents, shown) => {
    expect(euros(cents)).toBe(shown)
  })

  it('keeps cents apart from euros', () => {
    expect(splitCents(99)).toEqual({ euros: '0', rest: ',99' })
  })

  it.each([
    ['1 284,50', 128450], ['1284.5', 128450], ['15', 1500], [' 15,00 € ', 1500], [`1${NB}284,50`, 128450], ['−3,10', -310], ['0,1', 10],
    ['', null], ['1,234', null], ['abc', null], ['1,2,3', null], ['1e3', null], ['12345678901234', null],
  ])('%s is read as %s', (typed, cents) => {
    expect(parseCents(typed)).toBe(cents)
  })

  it('reads back every amount it writes', () => {
    for (const cents of [0, 1, 99, 100, 101, 128450, 9_999_999, -1, -12345]) expect(parseCents(euros(cents))).toBe(cents)
  })

  it('never shows a whole that is not one', () => {
    expect(percent(8213, 8214)).toBe(`99,9${NB}%`)
    expect(percent(8214, 8214)).toBe(`100${NB}%`)
    expect(percent(0, 0)).toBe('0 %')
  })
})

describe('dates', () => {
  it('shows Tallinn’s clock in winter and summer', () => {
    expect(dateTime('2026-01-15T22:30:00Z')).toBe('16.01.2026 00:30')
    expect(dateTime('2026-07-15T20:59:00Z')).toBe('15.07.2026 23:59')
    expect(stamp('2026-11-27T10:28:01Z')).toBe('20261127_122801')
  })

  it.each([['27.11.2026', '2026-11-27'], ['1.2.2024', '2024-02-01'], ['29.02.2024', '2024-02-29'], ['29.02.2023', null], ['31.04.2024', null], ['2024-02-01', null], ['', null]])('%s is the day %s', (typed, day) => {
    expect(parseDay(typed)).toBe(day)
  })

  it('writes a day in words', () => {
    expect(longDay('2026-11-27')).toBe('Reede, 27. november 2026')
  })
})

describe('durations', () => {
  it.each([['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.200Z', '00:00:01'], ['2026-01-01T00:00:00Z', '2026-01-01T01:02:03Z', '01:02:03'], ['2026-01-01T00:00:00Z', '2026-01-02T06:00:00Z', '30:00:00']])('from %s to %s is %s', (from, to, shown) => {
    expect(duration(from, to)).toBe(shown)
  })

  it('refreshes an age every 5 s, 60 s and 15 min', () => {
    const now = Date.parse('2026-01-02T00:00:00Z')
    const before = (seconds: number) => new Date(now - seconds * 1000).toISOString()
    expect([59, 61, 86_399, 86_401].map((age) => agoRefreshMs(before(age), now))).toEqual([5_000, 60_000, 60_000, 900_000])
  })
})
