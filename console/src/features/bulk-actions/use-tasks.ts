// One page of tasks that is refreshed without disturbing who reads it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Task } from '@/api/types'
import { type TaskQuery, tasksQuery } from './queries'
import { holdRows } from './rows'

/** For so long after an act of the person the page follows what comes: the change is his own. */
const OWN_CHANGE_MS = 5_000

export function useTasks(query: TaskQuery, actedAt: number) {
  const found = useQuery({ ...tasksQuery(query), refetchOnWindowFocus: false })
  const place = JSON.stringify(query)
  const [held, setHeld] = useState<{ place: string; rows: Task[] }>({ place, rows: [] })
  const members = found.data?.member ?? []
  const fresh = found.isPlaceholderData ? [] : members
  const sinceAct = found.dataUpdatedAt - actedAt
  const follows = held.place !== place || (sinceAct > 0 && sinceAct <= OWN_CHANGE_MS)
  const { rows, waiting, gone } = holdRows(follows ? [] : held.rows, fresh)
  const changed = held.place !== place || rows.length !== held.rows.length || rows.some((row, index) => row !== held.rows[index])
  if (!found.isPlaceholderData && found.data && changed) setHeld({ place, rows })
  return {
    query: found,
    rows: found.isPlaceholderData ? members : rows,
    waiting,
    gone,
    showNew: () => setHeld({ place, rows: fresh }),
    stale: found.isPlaceholderData && found.isFetching,
  }
}
