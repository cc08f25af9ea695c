// What can be done to bulk actions and their tasks, each with what is said of it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { post, put } from '@/api/client'
import { ApiError, report } from '@/api/errors'
import type { BulkAction, BulkTypeCode, CaseFilters, WorkStatus } from '@/api/types'
import { overAll } from '@/lib/over-all'
import { toasts } from '@/lib/toasts'
import { keys } from './queries'
import { t } from './texts'

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

/** Pausing happens at once and can be taken back. */
export function usePauseAction(id: number, resume: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => put(`/v2/bulk_action/${id}/pause`),
    meta: { quiet: true },
    onSuccess: () => toasts.undoable(t.paused(), resume),
    onError: (error) => report(error instanceof ApiError ? error : null, t.pauseError()),
    onSettled: () => client.invalidateQueries({ queryKey: keys.all }),
  })
}

export type Pace = { perSecond: number | null; parallel: number | null }

/** How fast the action runs from now on; a limit of null is none. */
export function useSetPace(id: number) {
  return useAct({ run: (pace: Pace) => put(`/v2/bulk_action/${id}/pace`, pace), failed: t.paceError })
}

/** The failed tasks' cases as an action of their own. */
export function useChildAction(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => post<BulkAction>(`/v2/bulk_actions/${id}/child`, {}, { headers: { 'Idempotency-Key': key } }),
    meta: { quiet: true },
    onSuccess: () => toasts.success(t.childMade()),
    onError: (error) => report(error instanceof ApiError ? error : null, t.childError()),
    onSettled: () => client.invalidateQueries({ queryKey: keys.all }),
  })
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
