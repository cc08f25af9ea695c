// The results of an action: what a task says for itself, and all of it as a file.
import { raw } from '@/api/client'
import { fileNameOf, readCsv } from '@/api/download'
import type { BulkAction, Task } from '@/api/types'
import { saveFile } from '@/lib/csv'
import { stamp } from '@/lib/format'
import { t } from './texts'

/** A silent failure gets the fixed sentence. */
export function outputOf(task: Pick<Task, 'status' | 'output'>): string {
  return task.output?.trim() || (task.status === 3 ? t.emptyFailure() : '')
}

/** Downloads one row a task, of those that match the tab and the search. */
export async function saveResults(action: BulkAction, filter: { status?: number; state?: string; output?: string }, total: number, onPercent: (percent: number) => void, signal: AbortSignal): Promise<void> {
  const answer = await raw('GET', '/v2/bulk_action_tasks', { query: { bulkAction: action.id, ...filter }, headers: { Accept: 'text/csv' }, signal })
  const parts = await readCsv(answer, total, onPercent)
  saveFile(fileNameOf(answer) ?? `masstegevus_${action.id}_${stamp(action.createdAt)}.csv`, parts)
}
