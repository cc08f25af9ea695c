// Reading alerts and their rules, and the acts on rules.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getDated, post, put, remove } from '@/api/client'
import { ApiError, report } from '@/api/errors'
import type { QueueName } from '@/api/operations'
import type { components } from '@/api/schema'
import type { Collection } from '@/api/types'
import { toasts } from '@/lib/toasts'
import { ALL } from './firing-count'
import { ruleWord } from './status'
import { t } from './texts'

export type Measure = 'oldestWaiting' | 'failedShare' | 'noConsumers' | 'breakerOpen' | 'cronLate' | 'backlogGrowing'
type Schemas = components['schemas']
type Narrow<Wide> = Omit<Wide, 'measure' | 'queue'> & { measure: Measure; queue?: QueueName | null }
/** What is watched, above what and for how long. */
export type Subject = Narrow<Schemas['WatchAnswer']>
export type AlertRule = Narrow<Schemas['AlertRuleAnswer']>
export type Alert = Omit<Schemas['AlertAnswer'], 'rule'> & { rule: Narrow<Schemas['RuleOfAlertAnswer']> }
export type RuleInput = Required<Omit<Schemas['AlertRuleInput'], 'measure' | 'queue' | 'version'>> & { measure: Measure; queue: QueueName | null }
export type Preview = Schemas['AlertPreviewAnswer']

export const ALERTS_PER_PAGE = 25

export const rulesQuery = queryOptions({
  queryKey: [...ALL, 'rules'],
  queryFn: ({ signal }) => getDated<Collection<AlertRule>>('/v2/alert_rules', { signal }),
  staleTime: 0,
})

export function historyQuery(page: number) {
  return queryOptions({
    queryKey: [...ALL, 'history', page],
    queryFn: ({ signal }) => getDated<Collection<Alert>>('/v2/alerts', { query: { page, limit: ALERTS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Whether such a rule would have fired in the last week; the same question is asked once a minute at most. */
export function previewQuery(rule: RuleInput | null) {
  return queryOptions({
    queryKey: ['alert-preview', rule],
    queryFn: ({ signal }) => post<Preview>('/v2/alert_rules/preview', rule, { signal }),
    enabled: rule !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
    meta: { quiet: true },
  })
}

export function inputOf(rule: AlertRule): RuleInput {
  const { measure, queue, register, cron, bureau, threshold, minutes, enabled, webhookUrl } = rule
  return { measure, queue: queue ?? null, register: register ?? null, cron: cron ?? null, bureau: bureau?.id ?? null, threshold, minutes, enabled, webhookUrl: webhookUrl ?? null }
}

function useRenewed() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ALL })
}

const failed = (said: () => string) => (error: unknown) => report(error instanceof ApiError ? error : null, said())

const change = ({ id, version }: Pick<AlertRule, 'id' | 'version'>, rule: RuleInput) => put<AlertRule>(`/v2/alert_rules/${id}`, { ...rule, version })

/** Makes a rule, or changes one. */
export function useSaveRule() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: ({ of, rule }: { of: AlertRule | null; rule: RuleInput }) => (of ? change(of, rule) : post<AlertRule>('/v2/alert_rules', rule)),
    meta: { quiet: true },
    onSuccess: (_saved, { of }) => toasts.success(of ? t.editor.changed() : t.editor.made()),
    onSettled: renew,
  })
}

/** Switches a rule off or on at once; it can be taken back for ten seconds. */
export function useSwitchRule() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: (rule: AlertRule) => change(rule, { ...inputOf(rule), enabled: !rule.enabled }),
    meta: { quiet: true },
    onSuccess: (now, before) => toasts.undoable((now.enabled ? t.switched.on : t.switched.off)(ruleWord(now)), () => void change(now, inputOf(before)).catch(failed(t.switched.failed)).then(renew)),
    onError: failed(t.switched.failed),
    onSettled: renew,
  })
}

const silence = (id: number, until: string | null) => put<AlertRule>(`/v2/alert_rules/${id}/silence`, { until })

/** Silences until then, or not at all; it can be taken back for ten seconds. */
export function useSilence() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: ({ rule, until }: { rule: AlertRule; until: string | null }) => silence(rule.id, until),
    meta: { quiet: true },
    onSuccess: (_now, { rule, until }) => toasts.undoable(until ? t.silence.done() : t.silence.ended(), () => void silence(rule.id, rule.silencedUntil ?? null).catch(failed(t.silence.failed)).then(renew)),
    onError: failed(t.silence.failed),
    onSettled: renew,
  })
}

export function useDeleteRule() {
  const renew = useRenewed()
  return useMutation({
    mutationFn: (rule: AlertRule) => remove(`/v2/alert_rules/${rule.id}`),
    meta: { quiet: true },
    onSuccess: () => toasts.success(t.remove.done()),
    onSettled: renew,
  })
}
