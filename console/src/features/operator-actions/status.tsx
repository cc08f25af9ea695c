// How an operator action and its items are said, and the sums of its counts.
import type { ItemState, OperatorAction } from '@/api/operations'
import { Badge, type Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icons'
import type { Part } from '@/components/ui/progress'
import { text } from '@/lib/texts'

type Look = { word: () => string; tone: Tone; icon: IconName }

const work: Record<OperatorAction['status'], Look> = {
  1: { word: text('Töös', 'Running'), tone: 'run', icon: 'run' },
  2: { word: text('Tehtud', 'Done'), tone: 'ok', icon: 'ok' },
  3: { word: text('Osa ebaõnnestus', 'Some failed'), tone: 'err', icon: 'err' },
  4: { word: text('Lõpetatud pooleli', 'Stopped'), tone: 'queued', icon: 'cancel' },
  5: { word: text('Osa jäi vahele', 'Some skipped'), tone: 'warn', icon: 'warn' },
}
const allFailed: Look = { ...work[3], word: text('Kõik ebaõnnestusid', 'All failed') }
const allSkipped: Look = { ...work[5], word: text('Kõik jäid vahele', 'All skipped') }
const paused: Look = { word: text('Peatatud', 'Paused'), tone: 'warn', icon: 'pause' }
const stopping: Look = { word: text('Lõpetamisel', 'Stopping'), tone: 'queued', icon: 'cancel' }

export function actionLook(of: Pick<OperatorAction, 'status' | 'pausedAt' | 'stoppedAt' | 'counts' | 'total'>): Look {
  if (of.status === 1 && of.stoppedAt) return stopping
  if (of.status === 1 && of.pausedAt) return paused
  if (of.status === 3 && of.counts.failed === of.total) return allFailed
  if (of.status === 5 && of.counts.skipped === of.total) return allSkipped
  return work[of.status]
}

export const itemLook: Record<ItemState, Look> = {
  done: { word: text('Tehtud', 'Done'), tone: 'ok', icon: 'ok' },
  skipped: { word: text('Vahele jäetud', 'Skipped'), tone: 'warn', icon: 'skip' },
  failed: { word: text('Ebaõnnestunud', 'Failed'), tone: 'err', icon: 'err' },
  sent: { word: text('Järjekorda saadetud', 'Queued again'), tone: 'run', icon: 'run' },
  waiting: { word: text('Ootel', 'Waiting'), tone: 'queued', icon: 'queued' },
}

export function LookBadge({ look, box }: { look: Look; box?: boolean }) {
  return <Badge tone={look.tone} icon={look.icon} {...(box ? { box } : {})}>{look.word()}</Badge>
}

/** Items whose end is known. */
export function ended(counts: OperatorAction['counts']): number {
  return counts.done + counts.failed + counts.skipped
}

/** Done, skipped, failed, sent, waiting: the order of the bar. */
export function partsOf(counts: OperatorAction['counts']): Part[] {
  return [
    { tone: 'ok', count: counts.done },
    { tone: 'warn', count: counts.skipped },
    { tone: 'err', count: counts.failed },
    { tone: 'run', count: counts.sent },
    { tone: 'queued', count: counts.waiting },
  ]
}
