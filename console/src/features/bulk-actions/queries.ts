// Reading bulk actions and their tasks. The acts on them, with their words, are in acts.ts: the first route's loaders need none of these.
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from '@/api/client'
import { useSession } from '@/api/session'
import type { BulkAction, BulkDay, BulkTypeCode, CaseFilters, Collection, Preview, Task } from '@/api/types'
import { useRefreshEvery } from '@/lib/refresh-choice'
import { usePoll } from '@/lib/use-poll'

export const DAYS_PER_PAGE = 14
export const ACTIONS_PER_DAY = 26
export const TASKS_PER_PAGE = 25
const JUST_NOW_MS = 900

export const keys = { all: ['bulk-actions'] as const, days: ['bulk-actions', 'days'] as const }

/** Days with their newest actions. */
export function daysQuery(page: number) {
  return queryOptions({
    queryKey: [...keys.days, page],
    queryFn: ({ signal }) => get<Collection<BulkDay>>('/v2/bulk_actions_by_date', { query: { daysPerPage: DAYS_PER_PAGE, page, limit: ACTIONS_PER_DAY }, signal, polled: true }),
    placeholderData: keepPreviousData,
  })
}

/** One further page of a day's actions, renewed whenever the days are. */
export function dayQuery(date: string, page: number) {
  return queryOptions({
    queryKey: [...keys.days, 'of', date, page],
    queryFn: ({ signal }) => get<Collection<BulkAction>>('/v2/bulk_actions_of_date', { query: { date, page, limit: ACTIONS_PER_DAY }, signal, polled: true }),
    meta: { quiet: true },
  })
}

export function actionQuery(id: number) {
  return queryOptions({
    queryKey: [...keys.all, id],
    queryFn: ({ signal }) => get<BulkAction>(`/v2/bulk_actions/${id}`, { signal, polled: true }),
    staleTime: 0,
  })
}

export type TaskQuery = { id: number; page: number; limit?: number; status?: number; state?: string; output?: string; sort?: string; direction?: 'asc' | 'desc' }

export function getTasks({ id, page, limit = TASKS_PER_PAGE, status, state, output, signal, polled }: TaskQuery & { signal?: AbortSignal; polled?: boolean }) {
  return get<Collection<Task>>('/v2/bulk_action_tasks', {
    query: { bulkAction: id, status, state, output: output && output.length > 1 ? output : undefined, 'order[caseYear]': 'desc', 'order[caseIndex]': 'desc', page, limit },
    ...(signal ? { signal } : {}),
    ...(polled ? { polled } : {}),
  })
}

export function tasksQuery(query: TaskQuery) {
  return queryOptions({
    queryKey: [...keys.all, query.id, 'tasks', query],
    queryFn: ({ signal }) => getTasks({ ...query, signal, polled: true }),
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === query.id ? previous : undefined),
    staleTime: 0,
  })
}

/** How many of the bureau's recent actions are running now. */
export function useRunningCount(): number {
  const session = useSession()
  const client = useQueryClient()
  const every = useRefreshEvery()
  const { data } = useQuery({ ...daysQuery(1), enabled: session?.tenantId != null })
  const count = running(data)
  usePoll({
    active: session !== null && count > 0,
    every: every === 'off' ? 'off' : 'auto',
    ask: async () => {
      // A page that has just asked the same is not asked after.
      const now = await client.fetchQuery({ ...daysQuery(1), staleTime: JUST_NOW_MS, retry: false })
      return running(now) === count ? 'unchanged' : 'status'
    },
  })
  return count
}

function running(days: Collection<BulkDay> | undefined): number {
  return days?.member.flatMap((day) => day.member).filter((action) => action.status === 1).length ?? 0
}

export function previewQuery(type: BulkTypeCode, args: Record<string, unknown>, filters: CaseFilters) {
  return queryOptions({
    queryKey: ['bulk-preview', type, args, filters],
    queryFn: ({ signal }) => post<Preview>('/v2/bulk_actions/preview', { type, args, filters }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}
