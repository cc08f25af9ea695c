// What the address of an action's page says; the tabs of its tasks and how they ask the API; pure.
import * as z from 'zod/mini'
import type { BulkCounts } from '@/api/types'
import { loose, pageField } from '@/lib/search'

export const TASK_TABS = ['failed', 'warning', 'running', 'queued', 'ok', 'cancelled'] as const
export type TaskTab = (typeof TASK_TABS)[number]

export const taskSearchSchema = z.object({
  tab: loose(z.enum(TASK_TABS)),
  q: loose(z.string().check(z.minLength(1), z.maxLength(200))),
  page: pageField,
  task: loose(z.int()),
  /** The failed ones by what they said, instead of the rows. */
  group: loose(z.literal(true)),
})
export type TaskSearch = z.infer<typeof taskSearchSchema>

const status: Record<TaskTab, { status: number; state?: string }> = {
  failed: { status: 3 },
  warning: { status: 5 },
  running: { status: 1, state: 'running' },
  queued: { status: 1, state: 'queued' },
  ok: { status: 2 },
  cancelled: { status: 4 },
}

export function tabFilter(tab: TaskTab | undefined): { status?: number; state?: string } {
  return tab ? status[tab] : {}
}

/** How many tasks a tab holds. */
export function tabCount(tab: TaskTab | undefined, counts: BulkCounts): number {
  return tab ? counts[tab] : counts.total
}
