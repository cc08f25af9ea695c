// How spans of time are said.
import { describe, expect, it } from 'vitest'
import { lastingWord, spanWord } from './span'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

describe('an age', () => {
  it.each([
    [-4000, '0 s'], [0, '0 s'], [6_900, '6 s'], [59_999, '59 s'], [60_000, '1 min'], [3_599_000, '59 min'],
    [3_600_000, '1 h'], [4_800_000, '1 h 20 min'], [86_399_000, '23 h 59 min'], [86_400_000, '1 p'], [900_000_000, '10 p'],
  ])('of %d ms is %s', (ms, said) => expect(plain(spanWord(ms))).toBe(said))
})

describe('a duration', () => {
  it.each([[0, '0 ms'], [85.4, '85 ms'], [200, '0,2 s'], [1_900, '1,9 s'], [59_000, '59 s'], [240_000, '4 min']])('of %d ms is %s', (ms, said) => expect(plain(lastingWord(ms))).toBe(said))
})
