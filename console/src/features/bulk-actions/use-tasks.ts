// One page of tasks that is refreshed without disturbing who reads it.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Task } from '@/api/types'
import { type TaskQuery, tasksQuery } from './queries'
import { holdRows } from './rows'

export function useTasks(query: TaskQuery) {
  const found = useQuery({ ...tasksQuery(query), refetchOnWindowFocus: false })
  const place = JSON.stringify(query)
  const [held, setHeld] = useState<{ place: string; rows: Task[] }>({ place, rows: [] })
  const fresh = found.isPlaceholderData ? [] : (found.data?.member ?? [])
  // Another page or filter shows what came; the same one keeps its rows where they are.
  const { rows, waiting } = holdRows(held.place === place ? held.rows : [], fresh)
  if (!found.isPlaceholderData && found.data && (held.place !== place || rows.length !== held.rows.length || rows.some((row, index) => row !== held.rows[index]))) {
    setHeld({ place, rows })
  }
  return {
    query: found,
    rows: found.isPlaceholderData ? (found.data?.member ?? []) : rows,
    waiting,
    showNew: () => setHeld({ place, rows: fresh }),
    stale: found.isPlaceholderData && found.isFetching,
  }
}
