// The results of an action as CSV: one row a task, gathered page by page.
import type { BulkAction, Task } from '@/api/types'
import { toCsv } from '@/lib/csv'
import { stamp } from '@/lib/format'
import { getTasks, type TaskQuery } from './queries'
import { taskLook } from './status'
import { t, typeWord } from './texts'

const PAGE = 100
const AT_ONCE = 4

/** What a task says for itself; a silent failure gets the fixed sentence. */
export function outputOf(task: Pick<Task, 'status' | 'output'>): string {
  return task.output?.trim() || (task.status === 3 ? t.emptyFailure() : '')
}

export function resultsCsv(tasks: Task[]): string {
  const head = [t.csvHead.status(), t.csvHead.number(), t.csvHead.output()]
  return toCsv([head, ...tasks.map((task) => [taskLook(task).word(), task.caseNumber ?? '', outputOf(task)])])
}

/** "arvuta_uus_pohitasu_20261127_102801.csv". */
export function resultsFileName(action: Pick<BulkAction, 'type' | 'createdAt'>): string {
  const word = typeWord[action.type]().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '_')
  return `${word}_${stamp(action.createdAt)}.csv`
}

/** Fetches all tasks that match, four pages at a time, in the order of the pages. */
export async function gatherTasks(query: Omit<TaskQuery, 'page' | 'limit'>, onPercent: (percent: number) => void, signal: AbortSignal): Promise<Task[]> {
  const first = await getTasks({ ...query, page: 1, limit: PAGE, signal })
  const total = first.totalItems ?? first.member.length
  const last = Math.ceil(total / PAGE)
  const pages: Task[][] = [first.member]
  let next = 2
  let came = 1
  const fetchPages = async () => {
    for (let page = next++; page <= last; page = next++) {
      // oxlint-disable-next-line no-await-in-loop -- each fetcher takes one page after the other
      const found = await getTasks({ ...query, page, limit: PAGE, signal })
      pages[page - 1] = found.member
      onPercent(Math.floor((++came / last) * 100))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchPages))
  return pages.flat()
}
