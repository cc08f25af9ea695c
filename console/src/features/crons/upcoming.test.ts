import { expect, it } from 'vitest'
import { upcomingOf } from './upcoming'

it('says where the clock changes between the due times ahead, and before the first', () => {
  const next = ['2027-03-28T01:00:00Z', '2027-03-29T00:30:00Z']
  const change = { kind: 'change', at: Date.parse('2027-03-28T01:00:00Z'), turn: 1 }
  expect(upcomingOf(next, Date.parse('2027-03-27T12:00:00Z'))).toEqual([change, { kind: 'run', at: next[0] }, { kind: 'run', at: next[1] }])
  expect(upcomingOf(next, Date.parse('2027-03-28T01:00:00Z'))).toEqual(next.map((at) => ({ kind: 'run', at })))
  const autumn = ['2026-10-24T22:40:00Z', '2026-10-25T23:40:00Z']
  expect(upcomingOf(autumn, Date.parse('2026-10-24T12:00:00Z'))).toEqual([
    { kind: 'run', at: autumn[0] }, { kind: 'change', at: Date.parse('2026-10-25T01:00:00Z'), turn: -1 }, { kind: 'run', at: autumn[1] },
  ])
  expect(upcomingOf([], 0)).toEqual([])
})
