// Reading jobs and the acts on one of them.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post, put } from '@/api/client'
import { ApiError, report } from '@/api/errors'
import type { JobCounts, JobFilter, JobPage, WholeJob } from '@/api/operations'
import { overAll } from '@/lib/over-all'
import { toasts } from '@/lib/toasts'
import { toQuery } from './filters'
import { t } from './texts'

export { toWire } from './filters'
export { chipsOf, filterSaid } from './words'

export const JOBS_PER_PAGE = 50
const keys = { all: ['jobs'] as const }

export type JobsQuery = { filter: JobFilter; after?: string | undefined }

export function jobsQuery({ filter, after }: JobsQuery) {
  return queryOptions({
    queryKey: [...keys.all, 'page', filter, after ?? null],
    queryFn: ({ signal }) => get<JobPage>('/v2/jobs', { query: { ...toQuery(filter), limit: JOBS_PER_PAGE, after }, signal, polled: true }),
    staleTime: 0,
  })
}

/** Counts by state under the other filters. */
export function countsQuery(filter: JobFilter) {
  const { state: _state, ...rest } = filter
  return queryOptions({
    queryKey: [...keys.all, 'counts', rest],
    queryFn: ({ signal }) => get<JobCounts>('/v2/jobs/counts', { query: toQuery(rest), signal, polled: true }),
    staleTime: 0,
  })
}

export function jobQuery(id: number) {
  return queryOptions({
    queryKey: [...keys.all, id],
    queryFn: ({ signal }) => get<WholeJob>(`/v2/jobs/${id}`, { signal, polled: true }),
    staleTime: 0,
  })
}

/** The payload with personal data; each asking is written into the audit log. */
export function unmask(id: number): Promise<{ payload: unknown }> {
  return post<{ payload: unknown }>(`/v2/jobs/${id}/unmask`, {})
}

export type JobAct = { act: 'retry'; payload?: Record<string, unknown> } | { act: 'cancel'; reason?: string } | { act: 'run_now' }

const told = {
  retry: { done: t.retried, failed: t.retryFailed },
  cancel: { done: t.cancelled, failed: t.cancelFailed },
  run_now: { done: t.ranNow, failed: t.runNowFailed },
}

/** One act on one job; the answer is the job as it then is. */
export function useJobAct(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ act, ...body }: JobAct) => put<WholeJob>(`/v2/jobs/${id}/${act}`, body),
    meta: { quiet: true },
    onSuccess: (job, { act }) => {
      client.setQueryData(jobQuery(id).queryKey, job)
      toasts.success(told[act].done())
    },
    onError: (error, { act }) => report(error instanceof ApiError ? error : null, told[act].failed()),
    onSettled: () => client.invalidateQueries({ queryKey: keys.all }),
  })
}

/** The same act on ticked jobs, four at a time. */
export function useJobsAct() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ ids, act, reason }: { ids: number[]; act: 'retry' | 'cancel'; reason?: string }) => overAll(ids, (id) => put(`/v2/jobs/${id}/${act}`, reason ? { reason } : {})),
    meta: { quiet: true },
    onSuccess: (_done, { ids, act }) => toasts.success(act === 'retry' ? t.retriedMany(ids.length) : t.cancelledMany(ids.length)),
    onError: (error, { act }) => report(error instanceof ApiError ? error : null, told[act].failed()),
    onSettled: () => client.invalidateQueries({ queryKey: keys.all }),
  })
}
