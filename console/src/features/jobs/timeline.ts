// What happened to a job, newest first: attempts, waits between them, what people did; pure.
import type { Attempt, WholeJob } from '@/api/operations'

type Event = WholeJob['events'][number]
export type WaitAfter = 'first' | 'act' | 'retry' | 'released' | 'crashed' | 'other'
export type Entry =
  | { kind: 'attempt'; key: string; attempt: Attempt; ms: number }
  | { kind: 'wait'; key: string; ms: number; after: WaitAfter }
  | { kind: 'event'; key: string; event: Event }
  | { kind: 'hidden'; key: string; count: number }
  | { kind: 'created'; key: string; at: string }

/** Shorter waits say nothing. */
const WORTH_SAYING_MS = 500
/** Acts after which a job waits anew. */
const BEGINS: ReadonlySet<string> = new Set(['retry', 'run_now'])

const ms = (at: string) => Date.parse(at)

function waitAfter(attempt: Attempt | null): WaitAfter {
  if (attempt === null) return 'first'
  return attempt.outcome === 'retry' || attempt.outcome === 'released' || attempt.outcome === 'crashed' ? attempt.outcome : 'other'
}

export function timelineOf(job: Pick<WholeJob, 'createdAt' | 'attempts' | 'attemptsTotal' | 'events'>): Entry[] {
  const points = [
    ...job.attempts.map((attempt) => ({ at: ms(attempt.startedAt), attempt, event: null })),
    ...job.events.filter((event) => event.action !== 'create').map((event) => ({ at: ms(event.at), attempt: null, event })),
  ].toSorted((a, b) => a.at - b.at || (a.event ? -1 : 1))
  const hidden = Math.max(0, job.attemptsTotal - job.attempts.length)
  const entries: Entry[] = [{ kind: 'created', key: 'created', at: job.createdAt }]
  if (hidden > 0) entries.push({ kind: 'hidden', key: 'hidden', count: hidden })
  // What came before the oldest shown attempt is not known where some are hidden.
  let mark: number | null = hidden > 0 ? null : ms(job.createdAt)
  let after: WaitAfter = 'first'
  for (const [index, { at, attempt, event }] of points.entries()) {
    if (event) {
      entries.push({ kind: 'event', key: `event-${index}`, event })
      if (BEGINS.has(event.action)) {
        mark = at
        after = 'act'
      }
      continue
    }
    if (mark !== null && at - mark >= WORTH_SAYING_MS) entries.push({ kind: 'wait', key: `wait-${attempt.run}`, ms: at - mark, after })
    entries.push({ kind: 'attempt', key: `attempt-${attempt.run}`, attempt, ms: Math.max(0, ms(attempt.finishedAt) - at) })
    mark = ms(attempt.finishedAt)
    after = waitAfter(attempt)
  }
  return entries.toReversed()
}

/** The longest attempt: the scale of all bars. */
export function longest(entries: Entry[], runningMs: number): number {
  return Math.max(1, runningMs, ...entries.map((entry) => (entry.kind === 'attempt' ? entry.ms : 0)))
}

/** From the first start to the last end, or until now. */
export function totalMs(job: Pick<WholeJob, 'attempts' | 'state'>, startedAt: string | null, now: number): number {
  const starts = [...job.attempts.map((attempt) => ms(attempt.startedAt)), ...(startedAt ? [ms(startedAt)] : [])]
  const ends = job.attempts.map((attempt) => ms(attempt.finishedAt))
  if (starts.length === 0) return 0
  return Math.max(...ends, job.state === 'running' ? now : 0) - Math.min(...starts)
}
