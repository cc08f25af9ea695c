// What the dashboard shows where.
import { describe, expect, it } from 'vitest'
import type { BulkAction, BulkDay } from '@/api/types'
import { came, sections } from './sections'

const action = (id: number, status: BulkAction['status']) => ({ id, status }) as BulkAction
const day = (...member: BulkAction[]) => ({ date: '2026-11-27', totalItems: member.length, member }) as BulkDay

describe('the dashboard', () => {
  it('counts one that ended with a warning or a failure as ended', () => {
    const found = sections([day(action(5, 5), action(4, 1)), day(action(3, 3), action(2, 2), action(1, 4))])
    expect(Object.entries(found).map(([name, list]) => [name, list.map((one) => one.id)])).toEqual([['running', [4]], ['attention', [5, 3]], ['finished', [5, 3, 2, 1]]])
  })
  it('tells a changed status from changed counts', () => {
    const one = (status: number, percent: number) => [[{ id: 1, status, percent }], []]
    expect(came(one(1, 5), one(1, 5))).toBe('unchanged')
    expect(came(one(1, 5), one(1, 6))).toBe('counts')
    expect(came(one(1, 5), one(2, 6))).toBe('status')
    expect(came([undefined, []], one(1, 5))).toBe('status')
  })
})
