import { expect, it } from 'vitest'
import { addCounts, countText } from './counts'

it.each([
  [{ value: 37, kind: 'exact' }, '37'],
  [{ value: 84_312, kind: 'about' }, 'umbes 84\u00a0300'],
  [{ value: 999, kind: 'about' }, 'umbes 999'],
  [{ value: 84_312, kind: 'exact' }, '84\u00a0312'],
  [{ value: 10_000, kind: 'at_least' }, '10\u00a0000+'],
] as const)('says %j as %s', (count, words) => {
  expect(countText(count)).toBe(words)
})

it('adds counts and keeps their doubt', () => {
  expect(addCounts({ value: 2, kind: 'exact' }, { value: 3, kind: 'exact' })).toEqual({ value: 5, kind: 'exact' })
  expect(addCounts({ value: 2, kind: 'about' }, { value: 3, kind: 'exact' })).toEqual({ value: 5, kind: 'about' })
  // Beside a bound the rest would fall while the whole grows.
  expect(addCounts({ value: 2, kind: 'about' }, { value: 10_000, kind: 'at_least' })).toEqual({ value: 10_000, kind: 'at_least' })
})
