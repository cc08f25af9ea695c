// What is wrong, worst first: the banners above everything and the count in the menu; pure.
import type { Overview, Pause, QueueAnswer, RegisterAnswer, WorkerAnswer } from '@/api/operations'
import type { Cron } from '@/features/crons/list'

export type Trouble =
  | { kind: 'register'; key: string; register: RegisterAnswer; queue: QueueAnswer | null }
  | { kind: 'no_workers'; key: string; queue: QueueAnswer; lost: WorkerAnswer | null }
  | { kind: 'stuck'; key: string; queue: QueueAnswer }
  | { kind: 'cron'; key: string; cron: Cron }
  | { kind: 'pause'; key: string; pause: Pause }

/** No worker takes the queue, but none is missed and no job waits: nothing is wrong until one does. */
export function isIdle(queue: Pick<QueueAnswer, 'state' | 'waiting' | 'workers'>): boolean {
  return queue.state === 'no_workers' && queue.waiting.value === 0 && queue.workers.lost === 0
}

const RANK: Record<Trouble['kind'], number> = { register: 0, no_workers: 1, stuck: 2, cron: 3, pause: 4 }

function waiting(of: Trouble): number {
  if (of.kind === 'register') return of.register.waiting.value
  return of.kind === 'pause' || of.kind === 'cron' ? 0 : of.queue.waiting.value
}

/** Late, or shut by the machine after failures; what a person has switched off is meant to rest. */
function isAmiss({ disabled, late_since: late }: Cron): boolean {
  return disabled ? !disabled.by : Boolean(late)
}

/** The lost process of the queue that was seen last. */
function lastLost(overview: Overview, queue: QueueAnswer): WorkerAnswer | null {
  const lost = overview.workers.member.filter((one) => one.state === 'lost' && one.concurrency[queue.name])
  return lost.toSorted((a, b) => b.seenAt.localeCompare(a.seenAt))[0] ?? null
}

/** A register that is down, then a queue without workers, one that stands, crons and pauses; within a kind the one with most jobs waiting, pauses newest first. `crons`: for those who may see them. */
export function troubles(overview: Overview, crons: readonly Cron[] = []): Trouble[] {
  const found: Trouble[] = [
    ...overview.registers.filter((register) => register.state === 'open').map((register) => (
      { kind: 'register' as const, key: `register-${register.name}`, register, queue: overview.queues.find((queue) => queue.register === register.name) ?? null }
    )),
    ...overview.queues.filter((queue) => queue.state === 'no_workers' && !isIdle(queue)).map((queue) => ({ kind: 'no_workers' as const, key: `workers-${queue.name}`, queue, lost: lastLost(overview, queue) })),
    ...overview.queues.filter((queue) => queue.state === 'stuck').map((queue) => ({ kind: 'stuck' as const, key: `stuck-${queue.name}`, queue })),
    ...crons.filter(isAmiss).map((cron) => ({ kind: 'cron' as const, key: `cron-${cron.id}`, cron })),
    ...overview.pauses.filter((pause) => pause.endedAt === null).map((pause) => ({ kind: 'pause' as const, key: `pause-${pause.id}`, pause })),
  ]
  const newest = (of: Trouble) => (of.kind === 'pause' ? of.pause.createdAt : '')
  return found.toSorted((a, b) => RANK[a.kind] - RANK[b.kind] || waiting(b) - waiting(a) || newest(b).localeCompare(newest(a)))
}
