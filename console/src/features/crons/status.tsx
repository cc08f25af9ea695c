// How a cron is said: its name, its state and why, how a firing ended.
import { type Look, stateLook } from '@/features/jobs/status'
import { whenMinute } from '@/lib/format'
import { text } from '@/lib/texts'
import type { Cron } from './list'
import type { CronRun } from './queries'
import { t } from './texts'

const name: Record<string, () => string> = {
  'reconcile-case-list': text('Toimikute loendi kontroll', 'Check of the case list'),
  'expire-sessions': text('Lõppenud seansside koristus', 'Clearing of ended sessions'),
  'archive-tasks': text('Vanade tööde arhiivimine', 'Archiving of old jobs'),
  'evaluate-alerts': text('Häirete hindamine', 'Evaluation of alerts'),
  'send-daily-digests': text('Päevakokkuvõtete saatmine', 'Sending of daily digests'),
}

/** A cron in words; one that is not known here is said as it is written. */
export function cronWord(written: string): string {
  return name[written]?.() ?? written
}

const outcomeLook: Record<string, Look> = {
  missed: { word: text('Ei käivitunud', 'Missed'), tone: 'warn', icon: 'warn' },
  skipped: { word: text('Jäeti vahele', 'Skipped'), tone: 'queued', icon: 'skip' },
  waiting: stateLook.queued,
  running: stateLook.running,
  ok: stateLook.ok,
  warning: stateLook.warning,
  failed: stateLook.failed,
  cancelled: stateLook.cancelled,
}

/** An outcome that is not known here is said as it is written. */
export function outcomeOf(run: Pick<CronRun, 'outcome'>): Look {
  return outcomeLook[run.outcome] ?? { word: () => run.outcome, tone: 'queued', icon: 'dot' }
}

type Marked = Pick<Cron, 'disabled' | 'late_since' | 'running' | 'failures' | 'decided_at'>

/** What is to be said of a cron, loudest first: shut, late, running, failing; never empty. */
export function looksOf(cron: Marked): Array<Look & { note?: string }> {
  const { disabled } = cron
  const failing = cron.failures > 0 ? [{ word: () => t.state.failing(cron.failures), tone: 'warn' as const, icon: 'warn' as const }] : []
  const running = cron.running ? [{ word: t.state.running, tone: 'run' as const, icon: 'run' as const }] : []
  if (disabled && !disabled.by) return [{ word: t.state.failedShut, tone: 'err', icon: 'err', note: disabled.reason }, ...running]
  if (disabled) return [{ word: t.state.shut, tone: 'warn', icon: 'pause', note: disabled.reason }, ...running, ...failing]
  const late = cron.late_since ? [{ word: t.state.late, tone: 'err' as const, icon: 'clock' as const, note: t.state.since(whenMinute(cron.late_since)) }] : []
  const said = [...late, ...running, ...failing]
  if (said.length > 0) return said
  return cron.decided_at ? [{ word: t.state.ok, tone: 'ok', icon: 'ok' }] : [{ word: t.state.unseen, tone: 'queued', icon: 'queued', note: t.state.unseenNote() }]
}

/** The edge of its row. */
export function edgeOf(cron: Marked): 'err' | 'warn' | undefined {
  const tone = looksOf(cron)[0]?.tone
  return tone === 'err' || tone === 'warn' ? tone : undefined
}

/** How long a firing has lasted, or lasts; null before it began. */
export function lastedMs(run: Pick<CronRun, 'duration_ms' | 'started_at' | 'outcome'>, now: number): number | null {
  if (run.duration_ms != null) return run.duration_ms
  return run.outcome === 'running' && run.started_at ? Math.max(0, now - Date.parse(run.started_at)) : null
}

/** How long after its time it was fired; null where there was none, or nothing was fired. */
export function delayMs(run: Pick<CronRun, 'scheduled_at' | 'fired_at' | 'ordered_by' | 'outcome'>): number | null {
  if (run.ordered_by || run.outcome === 'missed') return null
  return Math.max(0, Date.parse(run.fired_at) - Date.parse(run.scheduled_at))
}
