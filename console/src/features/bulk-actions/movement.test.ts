// Bars of movement from counts seen at uneven moments.
import { expect, it } from 'vitest'
import { addSeen, movement, type Seen } from './movement'

const run = (all: Array<[number, number, number]>): Seen[] => all.reduce<Seen[]>((seen, [second, done, failed]) => addSeen(seen, { at: second * 1000, done, failed }), [])

it('divides what came between two answers by time', () => {
  expect(movement(run([[0, 0, 0], [4, 20, 4], [10, 50, 4]]), 2_000, 5)).toEqual({ done: [8, 8, 10, 10, 10], failed: [2, 2, 0, 0, 0] })
})
it('shows no more bars than were seen', () => {
  expect(movement(run([[0, 0, 0], [3, 30, 0]]), 2_000, 5)).toEqual({ done: [20], failed: [0] })
  expect(movement([], 2_000, 5)).toEqual({ done: [], failed: [] })
})
it('starts over where counts went back, and forgets what is old', () => {
  expect(run([[0, 10, 3], [1, 12, 3], [2, 9, 0]])).toEqual([{ at: 2_000, done: 9, failed: 0 }])
  expect(run([[0, 0, 0], [200, 9, 0]])).toEqual([{ at: 200_000, done: 9, failed: 0 }])
  expect(run([[1, 5, 0], [1, 6, 0]])).toHaveLength(1)
})
