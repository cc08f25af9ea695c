// Reading bulk actions and their tasks, and the acts on them.
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post, put } from '@/api/client'
import { ApiError, report } from '@/api/errors'
import { useSession } from '@/api/session'
import type { BulkAction, BulkDay, BulkTypeCode, CaseFilters, Collection, Preview, Task, WorkStatus } from '@/api/types'
import { useRefreshEvery } from '@/lib/refresh-choice'
import { overAll } from '@/lib/over-all'
import { toasts } from '@/lib/toasts'
import { usePoll } from '@/lib/use-poll'
import { t } from './texts'

export const DAYS_PER_PAGE = 14
export const ACTIONS_PER_DAY = 26
export const TASKS_PER_PAGE = 25
const JUST_NOW_MS = 900

const keys = { all: ['bulk-actions'] as const, days: ['bulk-actions', 'days'] as const }

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

export type Launch = { type: BulkTypeCode; args: Record<string, unknown>; filters: CaseFilters; expectedCount: number; includeCasesWithProblems: boolean }

/** Creates the action, then adds the cases; both carry keys, so that a second click is the first one's echo. `onEmpty` is told of an
 *  action that was created and whose cases were refused. */
export async function launch(order: Launch, key: (part: string, body: unknown) => string, onEmpty: (id: number) => void): Promise<BulkAction> {
  const create = { type: order.type, args: order.args }
  const action = await post<BulkAction>('/v2/bulk_actions', create, { headers: { 'Idempotency-Key': key('create', create) } })
  const cases = {
    filters: order.filters,
    expectedCount: order.expectedCount,
    ...(order.includeCasesWithProblems ? { includeCasesWithProblems: true } : {}),
  }
  try {
    await post(`/v2/bulk_actions/${action.id}/cases`, cases, { headers: { 'Idempotency-Key': key(`cases-${action.id}`, cases) } })
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) onEmpty(action.id)
    throw error
  }
  return action
}

/** Ends an action that got no cases; the server would do it after an hour. */
export function abandon(id: number): void {
  put(`/v2/bulk_action/${id}/cancel`).catch(() => undefined)
}

function useAct<V>(options: { run: (variables: V) => Promise<unknown>; failed: () => string; done?: (variables: V) => string }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: options.run,
    meta: { quiet: true },
    onSuccess: (_answer, variables) => {
      if (options.done) toasts.success(options.done(variables))
    },
    onError: (error) => report(error instanceof ApiError ? error : null, options.failed()),
    onSettled: () => client.invalidateQueries({ queryKey: keys.all }),
  })
}

/** Retries all failed and warning tasks, or those of one status. */
export function useRetryAction(id: number) {
  return useAct({
    run: (status: WorkStatus | null) => put(`/v2/bulk_action/${id}/retry`, status ? { status } : {}, { headers: { 'Idempotency-Key': crypto.randomUUID() } }),
    failed: t.retryError,
    done: t.retried,
  })
}

export function useCancelAction(id: number) {
  return useAct({ run: () => put(`/v2/bulk_action/${id}/cancel`), failed: t.cancelError, done: t.cancelled })
}

export function useResumeAction(id: number) {
  return useAct({ run: () => put(`/v2/bulk_action/${id}/resume`), failed: t.resumeError, done: t.resumed })
}

export function useRetryTasks() {
  return useAct({
    run: (ids: number[]) => overAll(ids, (id) => put(`/v2/bulk_action_tasks/${id}/retry`, {}, { headers: { 'Idempotency-Key': crypto.randomUUID() } })),
    failed: t.taskRetryError,
    done: t.retried,
  })
}

export function useMarkDone() {
  return useAct({
    run: ({ ids, reason }: { ids: number[]; reason: string }) => overAll(ids, (id) => put(`/v2/bulk_action_tasks/${id}`, { status: 2, reason })),
    failed: t.doneError,
    done: ({ ids }) => t.markedDone(ids.length),
  })
}
