// Reading operator actions and their items, launching and steering them.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post, put, raw } from '@/api/client'
import { fileNameOf, readCsv } from '@/api/download'
import { ApiError, report } from '@/api/errors'
import type { ItemState, JobFilter, OperatorAction, OperatorItem, OperatorKind, OperatorPreview } from '@/api/operations'
import type { Collection } from '@/api/types'
import { toWire } from '@/features/jobs/queries'
import { saveFile } from '@/lib/csv'
import { stamp } from '@/lib/format'
import { toasts } from '@/lib/toasts'
import { t } from './texts'

export const ACTIONS_PER_PAGE = 40
export const ITEMS_PER_PAGE = 50
const keys = { all: ['operator-actions'] as const, list: ['operator-actions', 'list'] as const }

export function actionsQuery(page: number) {
  return queryOptions({
    queryKey: [...keys.list, page],
    queryFn: ({ signal }) => get<Collection<OperatorAction>>('/v2/operator_actions', { query: { page, limit: ACTIONS_PER_PAGE }, signal, polled: true }),
    placeholderData: keepPreviousData,
  })
}

export function actionQuery(id: number) {
  return queryOptions({
    queryKey: [...keys.all, id],
    queryFn: ({ signal }) => get<OperatorAction>(`/v2/operator_actions/${id}`, { signal, polled: true }),
    staleTime: 0,
  })
}

export type ItemQuery = { id: number; state?: ItemState[]; reason?: string; after?: string }

function itemParams({ id, state, reason, after }: ItemQuery) {
  return { operatorAction: id, ...(state ? { 'state[]': state } : {}), reason, after }
}

export function itemsQuery(query: ItemQuery) {
  return queryOptions({
    queryKey: [...keys.all, query.id, 'items', query],
    queryFn: ({ signal }) => get<{ member: OperatorItem[]; next: string | null }>('/v2/operator_action_items', { query: { ...itemParams(query), limit: ITEMS_PER_PAGE }, signal, polled: true }),
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === query.id ? previous : undefined),
    staleTime: 0,
  })
}

export function previewQuery(kind: OperatorKind, filter: JobFilter) {
  return queryOptions({
    queryKey: ['operator-preview', kind, filter],
    queryFn: ({ signal }) => post<OperatorPreview>('/v2/operator_actions/preview', { kind, filter: toWire(filter) }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
}

export type Order = { kind: OperatorKind; filter: JobFilter; reason?: string; expectedCount?: number; perSecond?: number }

export function launch(order: Order, key: (part: string, body: unknown) => string): Promise<OperatorAction> {
  const body = { ...order, filter: toWire(order.filter) }
  return post<OperatorAction>('/v2/operator_actions', body, { headers: { 'Idempotency-Key': key('create', body) } })
}

/** What was not done, one row a job, as a file. */
export async function saveUndone(action: OperatorAction, total: number, onPercent: (percent: number) => void, signal: AbortSignal): Promise<void> {
  const answer = await raw('GET', '/v2/operator_action_items', { query: itemParams({ id: action.id, state: ['failed', 'skipped'] }), headers: { Accept: 'text/csv' }, signal })
  const parts = await readCsv(answer, total, onPercent)
  saveFile(fileNameOf(answer) ?? `hulgitegevus_${action.id}_${stamp(action.createdAt)}.csv`, parts)
}

type Steer = { act: 'pause' | 'resume' | 'stop' } | { act: 'pace'; perSecond: number | null }

/** Pauses, resumes, stops or paces a running action; the answer is shown at once. */
export function useSteer(id: number) {
  const client = useQueryClient()
  const done = { pause: t.paused, resume: t.resumed, stop: t.stopped, pace: t.paceSet }
  return useMutation({
    mutationFn: ({ act, ...body }: Steer) => put<OperatorAction>(`/v2/operator_actions/${id}/${act}`, body),
    meta: { quiet: true },
    onSuccess: (action, { act }) => {
      client.setQueryData(actionQuery(id).queryKey, action)
      toasts.success(done[act]())
    },
    onError: (error) => report(error instanceof ApiError ? error : null, t.steerFailed()),
    onSettled: () => client.invalidateQueries({ queryKey: keys.all }),
  })
}

/** Starts a run over the failed ones only; `key` keeps a second click from starting a second one. */
export function useChild(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (key: string) => post<OperatorAction>(`/v2/operator_actions/${id}/child`, {}, { headers: { 'Idempotency-Key': key } }),
    meta: { quiet: true },
    onError: (error) => report(error instanceof ApiError ? error : null, t.childFailed()),
    onSettled: () => client.invalidateQueries({ queryKey: keys.all }),
  })
}
