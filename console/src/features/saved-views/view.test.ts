import { describe, expect, it } from 'vitest'
import { filterOf } from '@/features/jobs/filters'
import { searchSchema } from '@/features/jobs/job-search'
import { queryOf, searchOf } from './view'

describe('a view', () => {
  it('gives back the address that it was made of', () => {
    const search = { state: ['failed'], bureau: '101', search: '1482907', createdAt: { after: '2026-11-01' }, bulkAction: 12, after: 'cursor' }
    const { after: _cursor, ...kept } = search
    expect(filterOf(searchSchema.parse(searchOf(queryOf(search))))).toEqual(kept)
  })
  it('is the same in whatever order the filters were set', () => {
    expect(queryOf({ bureau: '101', state: ['ok'] })).toBe(queryOf({ state: ['ok'], bureau: '101', entry: 4, queue: undefined }))
    expect(queryOf({})).toBe('')
  })
})
