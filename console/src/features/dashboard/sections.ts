// Which actions the dashboard shows where, and what an answer changed; pure.
import type { BulkAction, BulkDay } from '@/api/types'
import type { PollOutcome } from '@/lib/poll'

/** What runs, what needs a person, and everything that has ended; what needs a person has ended too. */
export function sections(days: BulkDay[]): Record<'running' | 'attention' | 'finished', BulkAction[]> {
  const actions = days.flatMap((day) => day.member)
  return {
    running: actions.filter((action) => action.status === 1),
    attention: actions.filter((action) => action.status === 3 || action.status === 5),
    finished: actions.filter((action) => action.status !== 1),
  }
}

type Work = { id: number; status: number }

/** A changed status, changed counts, or nothing: how soon it is worth asking again. */
export function came(before: Array<Work[] | undefined>, now: Work[][]): PollOutcome {
  const states = (lists: Array<Work[] | undefined>) => JSON.stringify(lists.map((list) => list?.map((one) => [one.id, one.status])))
  if (states(before) !== states(now)) return 'status'
  return JSON.stringify(before) === JSON.stringify(now) ? 'unchanged' : 'counts'
}
