// One page of tasks that is refreshed without disturbing who reads it.
import { useQuery } from '@tanstack/react-query'
import { useHeldRows } from '@/components/data-table/use-held-rows'
import { type TaskQuery, tasksQuery } from './queries'

export function useTasks(query: TaskQuery, actedAt: number) {
  const found = useQuery({ ...tasksQuery(query), refetchOnWindowFocus: false })
  return { query: found, ...useHeldRows(JSON.stringify(query), found, actedAt) }
}
