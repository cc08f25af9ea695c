// How an action or a task is said: the name of its type, icon, word and tone of its state, the sums of its counts.
import type { BulkAction, BulkCounts, Task, WorkStatus } from '@/api/types'
import { Badge, type Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icons'
import type { Part } from '@/components/ui/progress'
import { text } from '@/lib/texts'

type Look = { word: () => string; tone: Tone; icon: IconName }

const action: Record<WorkStatus, Look> = {
  1: { word: text('Töös', 'Running'), tone: 'run', icon: 'run' },
  2: { word: text('Õnnestunud', 'Succeeded'), tone: 'ok', icon: 'ok' },
  3: { word: text('Ebaõnnestunud', 'Failed'), tone: 'err', icon: 'err' },
  4: { word: text('Katkestatud', 'Cancelled'), tone: 'queued', icon: 'cancel' },
  5: { word: text('Hoiatusega', 'With a warning'), tone: 'warn', icon: 'warn' },
}
const queued: Look = { word: text('Järjekorras', 'Queued'), tone: 'queued', icon: 'queued' }
const waiting: Look = { word: text('Ootab kordust', 'Waiting to retry'), tone: 'warn', icon: 'retry' }
const paused: Look = { word: text('Peatatud', 'Paused'), tone: 'warn', icon: 'pause' }
const stopping: Look = { word: text('Katkestamisel', 'Being cancelled'), tone: 'queued', icon: 'cancel' }

export function actionLook(of: Pick<BulkAction, 'status' | 'cancelledAt' | 'pausedAt' | 'counts'>): Look {
  if (of.status === 1 && of.cancelledAt) return stopping
  if (of.status === 1 && of.pausedAt) return paused
  if (of.status === 1 && of.counts.total > 0 && of.counts.queued === of.counts.total) return queued
  return action[of.status]
}

/** A task in progress is queued, running, or waiting for its next try after a fault. */
export function taskLook(of: Pick<Task, 'status' | 'state' | 'runAt' | 'runs'>, now: number = Date.now()): Look {
  if (of.status !== 1) return action[of.status]
  if (of.state === 'running') return action[1]
  if (of.runs > 0 && of.runAt && new Date(of.runAt).getTime() > now) return waiting
  return queued
}

export function StatusBadge({ look, box }: { look: Look; box?: boolean }) {
  return <Badge tone={look.tone} icon={look.icon} {...(box ? { box } : {})}>{look.word()}</Badge>
}

export const workLook = action

export const typeWord = {
  1: text('Sea alustamise tasu', 'Set the start fee'),
  2: text('Lõpeta toimikud', 'Close cases'),
  3: text('Arvuta uus põhitasu', 'Compute a new issuer fee'),
  4: text('Eemalda arestid', 'Remove arrests'),
  5: text('Kinnita arestide eemaldamine', 'Confirm removing arrests'),
  6: text('Sea arestid', 'Set arrests'),
  7: text('Kinnita arestide seadmine', 'Confirm setting arrests'),
  8: text('Valideeri toimikud', 'Validate cases'),
  9: text('Sünkrooni täitmisregistriga', 'Synchronise with the national register'),
}

/** The names of the counts. */
export const countWord = {
  ok: text('õnnestunud', 'succeeded'),
  warning: text('hoiatusega', 'with a warning'),
  failed: text('ebaõnnestunud', 'failed'),
  running: text('töös', 'running'),
  queued: text('järjekorras', 'queued'),
  cancelled: text('katkestatud', 'cancelled'),
}

/** Tasks that have come to their end. */
export function ended(counts: BulkCounts): number {
  return counts.ok + counts.warning + counts.failed + counts.cancelled
}

/** Done, warned, failed, cancelled, running, queued: the order of the bar. */
export function partsOf(counts: BulkCounts): Part[] {
  return [
    { tone: 'ok', count: counts.ok },
    { tone: 'warn', count: counts.warning },
    { tone: 'err', count: counts.failed },
    { tone: 'cancelled', count: counts.cancelled },
    { tone: 'run', count: counts.running },
    { tone: 'queued', count: counts.queued },
  ]
}
