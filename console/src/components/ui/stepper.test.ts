import { expect, it } from 'vitest'
import { stepped } from './stepper'

it.each([
  [8, 1, 10], [8, -1, 5], [1, -1, 1], [7, 1, 8], [7, -1, 5], [1000, 1, null], [null, -1, 1000], [null, 1, null],
] as const)('%s by %s is %s', (value, direction, next) => {
  expect(stepped(value, direction, 1000)).toBe(next)
})
it.each([[16, 15], [1, 1], [undefined, 1000]])('goes down from no limit below %s: %s', (start, next) => {
  expect(stepped(null, -1, 1000, start)).toBe(next)
})
it('ends at the most', () => {
  expect([stepped(20, 1, 25), stepped(25, 1, 25), stepped(null, -1, 25)]).toEqual([25, null, 25])
})
