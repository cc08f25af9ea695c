// How a rule, its measurements and its state are said.
import type { Look } from '@/features/jobs/status'
import { queueWord } from '@/features/jobs/status'
import { cronWord } from '@/features/crons/status'
import { registerWord } from '@/features/operations/status'
import { decimal, num, whenMinute } from '@/lib/format'
import { spanWord } from '@/lib/span'
import { plural, text } from '@/lib/texts'
import type { Unevaluated } from './evaluation'
import type { AlertRule, Measure, Subject } from './queries'
import { t } from './texts'

export const MEASURES: readonly Measure[] = ['oldestWaiting', 'failedShare', 'noConsumers', 'breakerOpen', 'cronLate', 'backlogGrowing']

export const measureWord: Record<Measure, () => string> = {
  oldestWaiting: text('Vanim ootav töö', 'Oldest waiting job'),
  failedShare: text('Ebaõnnestunute osakaal', 'Failed share'),
  noConsumers: text('Töid ootab, aga keegi ei tööta', 'Jobs wait and nobody works on them'),
  breakerOpen: text('Register ei vasta', 'A register does not answer'),
  cronLate: text('Ajastatud töö hilineb', 'A scheduled job is late'),
  backlogGrowing: text('Ootel tööde hulk kasvab', 'The backlog grows'),
}

const said = {
  oldestWaiting: text((queue: string, limit: string) => `Vanim töö järjekorras ${queue} ootab üle ${limit}`, (queue, limit) => `The oldest job in ${queue} waits over ${limit}`),
  failedShare: text((queue: string, limit: string) => `Järjekorras ${queue} ebaõnnestub üle ${limit}`, (queue, limit) => `Over ${limit} fail in ${queue}`),
  noConsumers: text((queue: string) => `Järjekorras ${queue} ootab töid, aga keegi ei tööta`, (queue) => `Jobs wait in ${queue} and nobody works on them`),
  breakerOpen: text((register: string) => `${register} ei vasta`, (register) => `${register} does not answer`),
  cronLate: text((cron: string, limit: string) => `${cron} hilineb üle ${limit}`, (cron, limit) => `${cron} is over ${limit} late`),
  anyCron: text('Mõni ajastatud töö', 'Some scheduled job'),
  backlogGrowing: text((queue: string, limit: string) => `Järjekord ${queue} kasvab 15 minutiga üle ${limit}`, (queue, limit) => `${queue} grows by over ${limit} in 15 minutes`),
  bureau: text((rule: string, code: string) => `${rule}, büroo ${code}`, (rule, code) => `${rule}, bureau ${code}`),
  jobs: text((n: number) => `${num(n)} ${plural('et', n, 'töö', 'tööd')}`, (n) => `${num(n)} ${plural('en', n, 'job', 'jobs')}`),
  limitJobs: text((n: number) => `${num(n)} töö`, (n) => `${num(n)} ${plural('en', n, 'job', 'jobs')}`),
  holds: text('jah', 'yes'),
  holdsNot: text('ei', 'no'),
}

const MINUTE_MS = 60_000

/** Measures that either hold or do not: nothing to set a threshold on. */
export function isPlain(measure: Measure): boolean {
  return measure === 'noConsumers' || measure === 'breakerOpen'
}

/** A measurement with its unit: "23 min", "5,2 %", "120 tööd"; null where nothing was measured. */
export function valueWord(measure: Measure, value: number | null | undefined): string {
  if (value == null) return '–'
  if (isPlain(measure)) return value > 0 ? said.holds() : said.holdsNot()
  if (measure === 'failedShare') return `${decimal(value)}\u00a0%`
  if (measure === 'backlogGrowing') return said.jobs(value)
  return value < 1 ? '0\u00a0min' : spanWord(value * MINUTE_MS)
}

/** What holds now, as a preview ends: "Praegu 23 min.", "Praegu töid ei oota või nendega töötatakse." */
export function presentWord(measure: Measure, value: number): string {
  if (!isPlain(measure)) return t.preview.now(valueWord(measure, value))
  const words = t.preview.plain[measure as keyof typeof t.preview.plain]
  return value > 0 ? words.holds() : words.holdsNot()
}

/** "Vanim töö järjekorras Registrid ootab üle 10 min, büroo 101". */
export function ruleWord(rule: Pick<Subject, 'measure' | 'queue' | 'register' | 'cronName' | 'bureau' | 'threshold'>): string {
  const queue = rule.queue ? queueWord[rule.queue]() : '–'
  const limit = rule.measure === 'backlogGrowing' ? said.limitJobs(rule.threshold) : valueWord(rule.measure, rule.threshold)
  const cron = rule.cronName ? cronWord(rule.cronName) : said.anyCron()
  const words: Record<Measure, () => string> = {
    oldestWaiting: () => said.oldestWaiting(queue, limit),
    failedShare: () => said.failedShare(queue, limit),
    noConsumers: () => said.noConsumers(queue),
    breakerOpen: () => said.breakerOpen(registerWord(rule.register ?? '–')),
    cronLate: () => said.cronLate(cron, limit),
    backlogGrowing: () => said.backlogGrowing(queue, limit),
  }
  const word = words[rule.measure]()
  return rule.bureau ? said.bureau(word, rule.bureau.code) : word
}

export function silencedNow(rule: Pick<AlertRule, 'silencedUntil'>, now: number): string | null {
  return rule.silencedUntil && Date.parse(rule.silencedUntil) > now ? rule.silencedUntil : null
}

/** How a rule stands and why: a firing one is loudest, one that is off quietest. `stopped`: nobody evaluates, so that none is said to be well. */
export function ruleLook(rule: Pick<AlertRule, 'enabled' | 'alert' | 'firedAt' | 'breachedSince' | 'silencedUntil' | 'value'>, now: number, stopped: Pick<Unevaluated, 'since'> | null = null): Look & { note?: string } {
  const silenced = silencedNow(rule, now)
  const until = silenced ? t.state.until(whenMinute(silenced, now)) : undefined
  if (!rule.enabled) return { word: t.state.off, tone: 'queued', icon: 'stop' }
  if (rule.alert != null) {
    const since = rule.firedAt ? t.state.since(whenMinute(rule.firedAt, now)) : ''
    return { word: t.state.firing, tone: 'err', icon: 'bell', note: [since, until ? `${t.state.silenced().toLowerCase()} ${until}` : ''].filter(Boolean).join(' · ') }
  }
  if (silenced) return { word: t.state.silenced, tone: 'warn', icon: 'mute', ...(until ? { note: until } : {}) }
  if (stopped) return { word: t.state.unevaluated, tone: 'warn', icon: 'warn', ...(stopped.since ? { note: t.state.since(whenMinute(stopped.since, now)) } : {}) }
  if (rule.breachedSince) return { word: t.state.breached, tone: 'warn', icon: 'clock', note: t.state.since(whenMinute(rule.breachedSince, now)) }
  return rule.value == null ? { word: t.state.unknown, tone: 'queued', icon: 'queued' } : { word: t.state.ok, tone: 'ok', icon: 'ok' }
}
