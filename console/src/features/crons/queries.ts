// Reading one cron, and the acts on them.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getDated, post } from '@/api/client'
import { ApiError, report } from '@/api/errors'
import type { components } from '@/api/schema'
import { num } from '@/lib/format'
import { toasts } from '@/lib/toasts'
import { ALL, type Cron } from './list'
import { cronWord } from './status'
import { t } from './texts'

type Schemas = components['schemas']
export type CronDetail = Schemas['CronDetailAnswer']
export type CronRun = Schemas['CronRunAnswer']

export function cronQuery(id: number) {
  return queryOptions({
    queryKey: [...ALL, id],
    queryFn: ({ signal }) => getDated<CronDetail>(`/cron/${id}`, { signal }),
    staleTime: 0,
  })
}

function useRenewed() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ALL })
}

type One = Pick<Cron, 'id' | 'name'>
const failed = (said: () => string) => (error: unknown) => report(error instanceof ApiError ? error : null, said())

/** `key` keeps a second try of the same order from starting a second job. */
export function useRunNow() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: ({ cron, key }: { cron: One; key: string }) => post<Schemas['ExecutedAnswer']>(`/cron/${cron.id}/execute`, {}, { headers: { 'Idempotency-Key': key } }),
    meta: { quiet: true },
    onSuccess: ({ job }, { cron }) => toasts.success(t.run.done(cronWord(cron.name), num(job))),
    onError: failed(t.run.failed),
    onSettled: renew,
  })
}

const shut = (cron: One, reason: string) => post<CronDetail>(`/cron/${cron.id}/disable`, { reason })
const open = (cron: One) => post<CronDetail>(`/cron/${cron.id}/enable`, {})

/** Switches off at once and can be taken back for ten seconds. */
export function useDisable() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: ({ cron, reason }: { cron: One; reason: string }) => shut(cron, reason),
    meta: { quiet: true },
    onSuccess: (_now, { cron }) => toasts.undoable(t.shut.done(cronWord(cron.name)), () => void open(cron).catch(failed(t.on.failed)).then(renew)),
    onSettled: renew,
  })
}

/** Switches on; taking that back switches it off for the same reason. */
export function useEnable() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: (cron: Pick<Cron, 'id' | 'name' | 'disabled'>) => open(cron),
    meta: { quiet: true },
    onSuccess: (_now, cron) => toasts.undoable(t.on.done(cronWord(cron.name)), () => void shut(cron, cron.disabled?.reason ?? '').catch(failed(t.shut.failed)).then(renew)),
    onError: failed(t.on.failed),
    onSettled: renew,
  })
}

export function useReopen() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: (cron: One) => post<CronDetail>(`/cron/${cron.id}/reopen`, {}),
    meta: { quiet: true },
    onSuccess: (_now, cron) => toasts.success(t.reopen.done(cronWord(cron.name))),
    onError: failed(t.reopen.failed),
    onSettled: renew,
  })
}
