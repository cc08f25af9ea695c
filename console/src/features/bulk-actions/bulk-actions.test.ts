// States, sums and results of bulk actions.
import { describe, expect, it } from 'vitest'
import type { BulkCounts, Preview, Task } from '@/api/types'
import { processedCount, skippedCount } from './preview-counts'
import { outputOf } from './results'
import { actionLook, ended, partsOf, taskLook } from './status'
import { tabCount, tabFilter, taskSearchSchema } from './task-search'

const counts: BulkCounts = { total: 100, queued: 10, running: 5, ok: 60, warning: 15, failed: 8, cancelled: 2 }
const task = (part: Partial<Task>): Task => ({ id: 1, status: 2, state: 'ok', type: 3, caseId: '/v2/enforcement_cases/1', caseNumber: '101/2024/7', debtorName: null, output: '', bulkAction: '/v2/bulk_actions/1', createdAt: '2026-11-27T09:00:00Z', startedAt: null, finishedAt: null, cancelledAt: null, runs: 1, allowedActions: [], ...part })

describe('counts', () => {
  it('add up', () => {
    expect(ended(counts)).toBe(85)
    expect(partsOf(counts).reduce((sum, part) => sum + part.count, 0)).toBe(counts.total)
    expect(tabCount(undefined, counts)).toBe(100)
    expect(tabCount('queued', counts)).toBe(10)
  })
  it('split the tasks in progress by their state', () => {
    expect([tabFilter('running'), tabFilter('queued'), tabFilter('failed'), tabFilter(undefined)]).toEqual([{ status: 1, state: 'running' }, { status: 1, state: 'queued' }, { status: 3 }, {}])
  })
  it('drop an address that names no tab', () => {
    expect(taskSearchSchema.parse({ tab: 'nothing', page: 0, task: 'x' })).toEqual({})
  })
})

describe('states', () => {
  const now = Date.parse('2026-11-27T10:00:00Z')
  it.each([
    [{ status: 1, state: 'running', runs: 1 }, 'Töös'],
    [{ status: 1, state: 'queued', runs: 0 }, 'Järjekorras'],
    [{ status: 1, state: 'dispatched', runs: 1 }, 'Järjekorras'],
    [{ status: 1, state: 'queued', runs: 1, runAt: '2026-11-27T10:01:00Z' }, 'Ootab kordust'],
    [{ status: 1, state: 'queued', runs: 1, runAt: '2026-11-27T09:59:00Z' }, 'Järjekorras'],
    [{ status: 5, state: 'warning', runs: 1 }, 'Hoiatusega'],
  ] as Array<[Partial<Task>, string]>)('%j is said as %s', (part, word) => {
    expect(taskLook(task(part), now).word()).toBe(word)
  })
  it('tells a stopping and a paused action from a running one', () => {
    expect(actionLook({ status: 1, cancelledAt: null, counts }).word()).toBe('Töös')
    expect(actionLook({ status: 1, cancelledAt: '2026-11-27T10:00:00Z', counts }).word()).toBe('Katkestamisel')
    expect(actionLook({ status: 1, cancelledAt: null, pausedAt: '2026-11-27T10:00:00Z', counts }).word()).toBe('Peatatud')
  })
})

describe('results', () => {
  it('name a silent failure', () => {
    expect(outputOf({ status: 3, output: ' ' })).toBe('Alamtegevus ebaõnnestus.')
    expect(outputOf({ status: 2, output: '' })).toBe('')
  })
})

describe('a preview', () => {
  const preview: Preview = { count: 100, sample: [], leftOut: 0, skipped: [{ reason: 'problems', text: '', count: 7 }, { reason: 'not_editable', text: '', count: 3 }] }
  it('counts problems as skipped until they are included', () => {
    expect([skippedCount(preview, false), processedCount(preview, false), skippedCount(preview, true), processedCount(preview, true)]).toEqual([10, 90, 3, 97])
  })
})
