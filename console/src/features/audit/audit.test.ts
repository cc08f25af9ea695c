import { describe, expect, it } from 'vitest'
import { auditSchema } from './audit-search'
import { diff } from './diff'
import { filterOf, toQuery, withFilter } from './filters'
import { actionWord, classWord } from './texts'

describe('an address', () => {
  it('drops what is no filter', () => {
    expect(auditSchema.parse({ role: 'boss', objectId: '7', from: '1.1.2026', user: 12, entry: 0 })).toEqual({ user: '12' })
  })
  it('starts anew with each filter', () => {
    expect(withFilter({ after: 'x', entry: 3, user: 'Mari' }, { role: 'dev' })).toEqual({ user: 'Mari', role: 'dev' })
    expect(filterOf({ after: 'x', user: undefined })).toEqual({})
  })
  it('asks with whole days of Tallinn', () => {
    expect(toQuery({ action: 'retry', from: '2026-11-27', until: '2026-11-27' })).toEqual({ action: 'retry', 'at[after]': '2026-11-26T22:00:00.000Z', 'at[before]': '2026-11-27T21:59:59.999Z' })
  })
})

describe('a difference', () => {
  it('puts what changed first and names nested fields', () => {
    expect(diff({ state: 'failed', a: { b: 1, c: [1] } }, { a: { b: 2, c: [1] }, state: 'failed', reason: 'x' })).toEqual([
      { field: 'a.b', before: '1', after: '2', changed: true },
      { field: 'reason', before: null, after: 'x', changed: true },
      { field: 'state', before: 'failed', after: 'failed', changed: false },
      { field: 'a.c', before: '[1]', after: '[1]', changed: false },
    ])
  })
  it('takes one side alone, nothing, and what is no object', () => {
    expect(diff(null, { state: 'queued' })).toEqual([{ field: 'state', before: null, after: 'queued', changed: true }])
    expect(diff(null, undefined)).toEqual([])
    expect(diff('a', null)).toEqual([{ field: '', before: 'a', after: null, changed: true }])
    expect(diff({ gone: null }, { gone: {} })).toEqual([{ field: 'gone', before: null, after: '{}', changed: true }])
  })
})

describe('words', () => {
  it('fall back to the raw word', () => {
    expect([actionWord('retry'), actionWord('never_heard_of'), classWord('Job'), classWord('Thing')]).toEqual(['Kordamine', 'never_heard_of', 'Töö', 'Thing'])
  })
})
