// How an action or a task is said: the name of its type, icon, word and tone of its state, the sums of its counts.
import { Link } from '@tanstack/react-router'
import type { BulkAction, BulkCounts, Task, WorkStatus } from '@/api/types'
import { Badge, type Tone } from '@/components/ui/badge'
import { Icon, type IconName } from '@/components/ui/icons'
import { type Part, Parts } from '@/components/ui/progress'
import { num, percent, whenShort } from '@/lib/format'
import { text } from '@/lib/texts'
import { typeWord } from './texts'

type Look = { word: () => string; tone: Tone; icon: IconName }

const action: Record<WorkStatus, Look> = {
  1: { word: text('Töös', 'Running'), tone: 'run', icon: 'run' },
  2: { word: text('Õnnestunud', 'Succeeded'), tone: 'ok', icon: 'ok' },
  3: { word: text('Ebaõnnestunud', 'Failed'), tone: 'err', icon: 'err' },
  4: { word: text('Katkestatud', 'Cancelled'), tone: 'queued', icon: 'cancel' },
  5: { word: text('Hoiatusega', 'With a warning'), tone: 'warn', icon: 'warn' },
}
const queued: Look = { word: text('Järjekorras', 'Queued'), tone: 'queued', icon: 'queued' }
const waiting: Look = { word: text('Ootab kordust', 'Waiting to retry'), tone: 'queued', icon: 'retry' }
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

export { typeWord }

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

const mark = {
  ok: ['ok', 'text-ok'],
  warning: ['warn', 'text-warn'],
  failed: ['err', 'text-err'],
} as const

/** Counts as icon and number, the word for who points or listens; what is none is not said. */
export function CountMarks({ counts, of }: { counts: BulkCounts; of: Array<keyof typeof mark> }) {
  return of.filter((one) => counts[one] > 0).map((one) => (
    <span key={one} className="inline-flex flex-none items-center gap-1 text-xs font-medium text-foreground" title={countWord[one]()}>
      <Icon name={mark[one][0]} className={`size-[13px] ${mark[one][1]}`} />
      <span className="num">{num(counts[one])}</span>
      <span className="sr-only">{countWord[one]()}</span>
    </span>
  ))
}

/** An action as one entry of a list: on the dashboard, and on a phone in the history. */
export function ActionLine({ action }: { action: BulkAction }) {
  const counts = action.counts
  const done = ended(counts)
  const edge = action.status === 3 ? 'shadow-[inset_2px_0_0_var(--err-solid)]' : action.status === 5 ? 'shadow-[inset_2px_0_0_var(--warn-solid)]' : ''
  return (
    <li className={`border-t first:border-t-0 ${edge}`}>
      <Link to="/bulk_actions/$id" params={{ id: String(action.id) }} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 px-4 py-2.5 -outline-offset-2 hover:bg-accent">
        <span className="truncate font-medium">{typeWord[action.type]()}</span>
        <span className="justify-self-end"><StatusBadge look={actionLook(action)} /></span>
        {action.status === 1 ? <span className="col-span-2"><Parts thin label={typeWord[action.type]()} parts={partsOf(counts)} done={done} total={counts.total} /></span> : null}
        <span className="flex min-w-0 items-center gap-3 text-xs text-muted-foreground">
          {action.status === 1 ? `${num(done)} / ${num(counts.total)} · ${percent(done, counts.total)}` : <CountMarks counts={counts} of={['failed', 'warning', 'ok']} />}
          {action.createdBy ? <span className="truncate max-sm:hidden">{action.createdBy.name}</span> : null}
        </span>
        <span className="justify-self-end text-xs text-muted-foreground">{whenShort(action.finishedAt ?? action.createdAt)}</span>
      </Link>
    </li>
  )
}
