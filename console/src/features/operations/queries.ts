// Reading queues, registers, workers and pauses, and the acts on them.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { get, getDated, post, put } from '@/api/client'
import type { Overview, Pause, QueueDetail, QueueName, RegisterAnswer, Series, WorkerAnswer } from '@/api/operations'
import type { components } from '@/api/schema'
import { useSession } from '@/api/session'
import type { Collection } from '@/api/types'
import { useOversees } from '@/features/auth/queries'
import { cronsQuery } from '@/features/crons/list'
import { useRefreshEvery } from '@/lib/refresh-choice'
import { toasts } from '@/lib/toasts'
import { usePoll } from '@/lib/use-poll'
import { pausedWord } from './status'
import { t } from './texts'
import { troubles } from './trouble'

const keys = { all: ['operations'] as const }

export const overviewQuery = queryOptions({
  queryKey: [...keys.all, 'overview'],
  queryFn: ({ signal }) => getDated<Overview>('/v2/operations', { signal }),
  staleTime: 0,
})

const JUST_NOW_MS = 900

/** The crons, for those who may see them; nobody else asks. */
export function useCronsToo() {
  const oversees = useOversees()
  const found = useQuery({ ...cronsQuery, enabled: oversees, refetchOnWindowFocus: false })
  return { oversees, found, crons: oversees ? found.data?.body.items : undefined }
}

/** How many things are wrong, for the menu: asked for rarely while nothing changes, and not after a page that has just asked. */
export function useWrongCount(): number {
  const session = useSession()
  const client = useQueryClient()
  const every = useRefreshEvery()
  const { oversees, crons } = useCronsToo()
  const found = useQuery({ ...overviewQuery, enabled: session?.tenantId != null, refetchOnWindowFocus: false })
  const count = found.data ? troubles(found.data.body, crons).length : 0
  usePoll({
    active: session?.tenantId != null && found.data !== undefined,
    every: every === 'off' ? 'off' : 'auto',
    ask: async () => {
      const rarely = { staleTime: JUST_NOW_MS, retry: false }
      const [now, clock] = await Promise.all([client.fetchQuery({ ...overviewQuery, ...rarely }), oversees ? client.fetchQuery({ ...cronsQuery, ...rarely }) : undefined])
      return troubles(now.body, clock?.body.items).length === count ? 'unchanged' : 'status'
    },
  })
  return count
}

export function queueQuery(name: QueueName) {
  return queryOptions({
    queryKey: [...keys.all, 'queue', name],
    queryFn: ({ signal }) => getDated<QueueDetail>(`/v2/queues/${name}`, { signal }),
    staleTime: 0,
  })
}

const MINUTE_MS = 60_000

/** Full minutes up to now: within one minute the question stays the same, so that its answer may be a 304. */
export function seriesQuery(name: QueueName, spanMs: number, kind: string | undefined) {
  return queryOptions({
    queryKey: [...keys.all, 'queue', name, 'series', spanMs, kind ?? ''],
    queryFn: ({ signal }) => {
      const to = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
      return getDated<Series>(`/v2/queues/${name}/series`, { query: { from: new Date(to - spanMs).toISOString(), to: new Date(to).toISOString(), kind }, signal })
    },
    placeholderData: (before, query) => (query?.queryKey[2] === name ? before : undefined),
    staleTime: 0,
  })
}

export const workersQuery = queryOptions({
  queryKey: [...keys.all, 'workers'],
  queryFn: ({ signal }) => getDated<Collection<WorkerAnswer>>('/v2/workers', { signal }),
  staleTime: 0,
})

export function pausesQuery(ended: boolean) {
  return queryOptions({
    queryKey: [...keys.all, 'pauses', ended],
    queryFn: ({ signal }) => getDated<Collection<Pause>>('/v2/pauses', { query: ended ? { ended: 1 } : {}, signal }),
    staleTime: 0,
  })
}

export const bureausQuery = queryOptions({
  queryKey: ['bureaus'],
  queryFn: async ({ signal }) => (await get<components['schemas']['Items_BureauAnswer']>('/bureau', { query: { limit: 500 }, signal })).items.filter((one) => !one.is_chamber),
  staleTime: 600_000,
})

export function useBureaus(enabled = true) {
  return useQuery({ ...bureausQuery, enabled })
}

function useRenewed() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: keys.all })
}

export function useProbe() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: (name: string) => put<RegisterAnswer>(`/v2/registers/${encodeURIComponent(name)}/probe`),
    meta: { failed: t.down.probeFailed() },
    onSuccess: () => toasts.success(t.down.probed()),
    onSettled: renew,
  })
}

export type NewPause = { queue?: QueueName; kind?: string; bureau?: number; reason: string; until?: string }

/** Pauses at once and can be taken back for ten seconds. */
export function usePauseJobs() {
  const renew = useRenewed()
  const end = useEndPause()
  return useMutation({
    mutationFn: (order: NewPause) => post<Pause>('/v2/pauses', order),
    meta: { quiet: true },
    onSuccess: (pause) => toasts.undoable(t.paused.done(pausedWord(pause)), () => end.mutate(pause)),
    onSettled: renew,
  })
}

export function useEditPause() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: ({ id, ...change }: { id: number; reason: string; until: string | null }) => put<Pause>(`/v2/pauses/${id}`, change),
    meta: { quiet: true },
    onSuccess: () => toasts.success(t.paused.changed()),
    onSettled: renew,
  })
}

/** Ends a pause; taking that back is a new pause for the same reason, until the same time. */
export function useEndPause() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: (pause: Pause) => put<Pause>(`/v2/pauses/${pause.id}/end`),
    meta: { failed: t.paused.endFailed() },
    onSuccess: (_ended, pause) => {
      const again: NewPause = {
        reason: pause.reason,
        ...(pause.queue ? { queue: pause.queue } : {}),
        ...(pause.kind ? { kind: pause.kind } : {}),
        ...(pause.bureau ? { bureau: pause.bureau.id } : {}),
        ...(pause.until ? { until: pause.until } : {}),
      }
      toasts.undoable(t.paused.resumed(pausedWord(pause)), () => void post('/v2/pauses', again).catch(() => toasts.error(t.pause.failed())).then(renew))
    },
    onSettled: renew,
  })
}
