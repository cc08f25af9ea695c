// A rule as it is typed, and as it goes to the server; pure.
import type { QueueName } from '@/api/operations'
import type { AlertRule, Measure, RuleInput } from './queries'

export type Draft = { measure: Measure; queue: string; register: string; cron: string; bureau: string; threshold: string; minutes: string; enabled: boolean; webhookUrl: string }
export type Field = 'queue' | 'register' | 'cron' | 'bureau' | 'threshold'

/** Which fields a measure has. */
export const FIELDS: Record<Measure, readonly Field[]> = {
  oldestWaiting: ['queue', 'bureau', 'threshold'],
  failedShare: ['queue', 'bureau', 'threshold'],
  noConsumers: ['queue', 'bureau'],
  breakerOpen: ['register'],
  cronLate: ['cron', 'threshold'],
  backlogGrowing: ['queue', 'bureau', 'threshold'],
}
export const NEEDED: readonly Field[] = ['queue', 'register']

const START: Record<Measure, { threshold: string; minutes: string }> = {
  oldestWaiting: { threshold: '10', minutes: '5' },
  failedShare: { threshold: '5', minutes: '5' },
  noConsumers: { threshold: '0', minutes: '2' },
  breakerOpen: { threshold: '0', minutes: '2' },
  cronLate: { threshold: '5', minutes: '0' },
  backlogGrowing: { threshold: '100', minutes: '5' },
}
export const MOST_MINUTES = 1440
/** The thresholds that the server takes. */
export const RANGE: Record<Measure, readonly [number, number]> = {
  oldestWaiting: [1, 10_080], failedShare: [0, 99], noConsumers: [0, 0], breakerOpen: [0, 0], cronLate: [1, 10_080], backlogGrowing: [1, 1_000_000],
}

/** A new rule of this measure; what was chosen before stays. */
export function draftOf(measure: Measure, before?: Draft): Draft {
  const empty = { queue: '', register: '', cron: '', bureau: '', enabled: true, webhookUrl: '' }
  return { ...empty, ...before, measure, ...START[measure] }
}

export function typedOf(rule: AlertRule): Draft {
  const word = (value: string | number | null | undefined) => (value == null ? '' : String(value))
  return {
    measure: rule.measure, queue: word(rule.queue), register: word(rule.register), cron: word(rule.cron), bureau: word(rule.bureau?.id),
    threshold: word(rule.threshold), minutes: word(rule.minutes), enabled: rule.enabled, webhookUrl: word(rule.webhookUrl),
  }
}

function whole(typed: string, least: number, most: number): number | null {
  const clean = typed.replaceAll(/[\s\u00a0]/g, '')
  const value = /^\d{1,7}$/.test(clean) ? Number(clean) : Number.NaN
  return value >= least && value <= most ? value : null
}

export type Bad = Partial<Record<'queue' | 'register' | 'threshold' | 'minutes' | 'webhookUrl', true>>

/** The rule, or which fields are not right yet. */
export function readDraft(draft: Draft): { rule: RuleInput } | { bad: Bad } {
  const fields = FIELDS[draft.measure]
  const has = (field: Field) => fields.includes(field)
  const threshold = has('threshold') ? whole(draft.threshold, ...RANGE[draft.measure]) : 0
  const minutes = whole(draft.minutes, 0, MOST_MINUTES)
  const webhookUrl = draft.webhookUrl.trim()
  const bad: Bad = {}
  for (const field of ['queue', 'register'] as const) if (has(field) && draft[field] === '') bad[field] = true
  if (threshold === null) bad.threshold = true
  if (minutes === null) bad.minutes = true
  if (webhookUrl !== '' && !/^https?:\/\/\S+$/.test(webhookUrl)) bad.webhookUrl = true
  if (threshold === null || minutes === null || Object.keys(bad).length > 0) return { bad }
  const chosen = (field: Field) => (has(field) && draft[field] !== '' ? draft[field] : null)
  const id = (field: Field) => { const value = chosen(field); return value === null ? null : Number(value) }
  return {
    rule: {
      measure: draft.measure, queue: chosen('queue') as QueueName | null, register: chosen('register'), cron: id('cron'), bureau: id('bureau'),
      threshold, minutes, enabled: draft.enabled, webhookUrl: webhookUrl || null,
    },
  }
}

/** Somebody was faster: the rule is another one now, or gone. */
export type Met = { kind: 'changed'; now: AlertRule; /** What was typed, kept after the rule was loaded over it. */ mine: Draft; loaded: boolean } | { kind: 'gone' }

/** What has become of the rule that was opened; null where it is as it was, so that it was refused for another reason. */
export function metOf(opened: Pick<AlertRule, 'id' | 'version'>, mine: Draft, rules: readonly AlertRule[]): Met | null {
  const now = rules.find((rule) => rule.id === opened.id)
  if (!now) return { kind: 'gone' }
  return now.version === opened.version ? null : { kind: 'changed', now, mine, loaded: false }
}

export type Difference = { name: keyof Draft; mine: Draft[keyof Draft]; now: Draft[keyof Draft] }

/** In what the typed rule differs from the one that is kept now. */
export function differences(mine: Draft, rule: AlertRule): Difference[] {
  const now = typedOf(rule)
  const shown = (name: keyof Draft) => [mine, now].some(({ measure }) => !['queue', 'register', 'cron', 'bureau', 'threshold'].includes(name) || FIELDS[measure].includes(name as Field))
  return (Object.keys(now) as Array<keyof Draft>).filter((name) => shown(name) && mine[name] !== now[name]).map((name) => ({ name, mine: mine[name], now: now[name] }))
}
