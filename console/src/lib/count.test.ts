// Counts say what they are.
import { describe, expect, it } from 'vitest'
import { addCounts, countWord } from './count'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

describe('a count in words', () => {
  it.each([
    [{ value: 84312, kind: 'exact' } as const, '84 312'],
    [{ value: 84312, kind: 'about' } as const, 'umbes 84 300'],
    [{ value: 999, kind: 'about' } as const, 'umbes 999'],
    [{ value: 0, kind: 'about' } as const, 'umbes 0'],
    [{ value: 10000, kind: 'at_least' } as const, '10 000+'],
  ])('%j is said %s', (count, said) => {
    expect(plain(countWord(count))).toBe(said)
  })
  it('adds up to the least sure kind', () => {
    expect(addCounts([{ value: 1, kind: 'exact' }, { value: 2, kind: 'about' }])).toEqual({ value: 3, kind: 'about' })
    expect(addCounts([{ value: 10_000, kind: 'at_least' }, { value: 2, kind: 'about' }])).toEqual({ value: 10_002, kind: 'at_least' })
    expect(addCounts([])).toEqual({ value: 0, kind: 'exact' })
  })
})
