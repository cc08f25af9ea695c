// A refresh never moves the rows being read.
import { describe, expect, it } from 'vitest'
import { holdRows } from './hold-rows'

const row = (id: number, state = 'a') => ({ id, state })

describe('held rows', () => {
  it('shows everything at first', () => {
    expect(holdRows([], [row(1)])).toEqual({ rows: [row(1)], waiting: 0, gone: [] })
  })
  it('renews rows in place', () => {
    expect(holdRows([row(1), row(2)], [row(2, 'b'), row(1, 'b')])).toEqual({ rows: [row(1, 'b'), row(2, 'b')], waiting: 0, gone: [] })
  })
  it('lets new rows wait and keeps the ones that left', () => {
    expect(holdRows([row(1), row(2)], [row(3), row(2, 'b')])).toEqual({ rows: [row(1), row(2, 'b')], waiting: 1, gone: [1] })
  })
})
