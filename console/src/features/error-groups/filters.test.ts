// What the address of the page of errors keeps, and which jobs a group's count is of.
import { describe, expect, it } from 'vitest'
import { groupFilterCount, groupSearchSchema, withGroupFilter } from './filters'
import { jobsOf } from './queries'

describe('the filters of errors', () => {
  it('drop what is no filter', () => {
    expect(groupSearchSchema.parse({ hours: 0, queue: 'x', bureau: '', known: 'maybe', other: 1 })).toEqual({})
    expect(groupSearchSchema.parse({ hours: 168, queue: 'bulk', bureau: 101, known: false })).toEqual({ hours: 168, queue: 'bulk', bureau: '101', known: false })
  })
  it('leave the defaults out of the address', () => {
    expect(withGroupFilter({ hours: 6, queue: 'bulk' }, { hours: 24, queue: undefined, known: false })).toEqual({ known: false })
  })
  it('count what narrows the list, not the time', () => {
    expect(groupFilterCount({ hours: 6, known: false, bureau: '101' })).toBe(2)
  })
})

it('a group’s jobs are those that its count is of', () => {
  const now = Date.parse('2026-11-27T08:00:00Z')
  expect(jobsOf({ key: 'k' }, {}, now)).toEqual({ state: ['failed'], errorGroup: 'k', finishedAt: { after: '2026-11-26T08:00:00.000Z' } })
  expect(jobsOf({ key: 'k' }, { hours: 1, bureau: '101' }, now)).toEqual({ state: ['failed'], errorGroup: 'k', bureau: '101', finishedAt: { after: '2026-11-27T07:00:00.000Z' } })
})
