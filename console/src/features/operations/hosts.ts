// Processes put together by the machine they run on; pure.
import type { QueueName, WorkerAnswer, WorkerState } from '@/api/operations'

type Take = { queue: QueueName; jobs: number; state: WorkerState }

export type Host = {
  name: string
  workers: WorkerAnswer[]
  counts: Record<'alive' | 'doubtful' | 'lost', number>
  /** What the machine takes: jobs at once by queue, and the worst state among the living processes that take it. */
  takes: Take[]
  /** What its lost processes took: nobody does that now. */
  lost: Take[]
}

const WORSE: WorkerState[] = ['stopped', 'alive', 'doubtful', 'lost']

function worse(a: WorkerState, b: WorkerState): WorkerState {
  return WORSE.indexOf(a) >= WORSE.indexOf(b) ? a : b
}

/** Alive or doubtful: it may take a job. */
function lives(worker: WorkerAnswer): boolean {
  return worker.state === 'alive' || worker.state === 'doubtful'
}

function takesOf(workers: WorkerAnswer[]): Take[] {
  const takes = new Map<QueueName, Take>()
  for (const worker of workers) {
    for (const [queue, jobs] of Object.entries(worker.concurrency) as Array<[QueueName, number]>) {
      if (jobs <= 0) continue
      const before = takes.get(queue)
      takes.set(queue, { queue, jobs: jobs + (before?.jobs ?? 0), state: before ? worse(before.state, worker.state) : worker.state })
    }
  }
  return [...takes.values()]
}

/** Machines by name; stopped processes belong to a machine but are neither counted nor take anything. */
export function byHost(workers: WorkerAnswer[]): Host[] {
  const hosts = new Map<string, WorkerAnswer[]>()
  for (const worker of workers) hosts.set(worker.host, [...(hosts.get(worker.host) ?? []), worker])
  return [...hosts].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, members]) => {
    const counts = { alive: 0, doubtful: 0, lost: 0 }
    for (const worker of members) if (worker.state !== 'stopped') counts[worker.state]++
    return {
      name,
      workers: members.toSorted((a, b) => WORSE.indexOf(b.state) - WORSE.indexOf(a.state) || a.name.localeCompare(b.name)),
      counts,
      takes: takesOf(members.filter(lives)),
      lost: takesOf(members.filter((worker) => worker.state === 'lost')),
    }
  })
}

/** How many processes live, on how many machines, and how many are lost. */
export function headsOf(workers: WorkerAnswer[]): { living: number; hosts: number; lost: number } {
  const living = workers.filter(lives)
  return { living: living.length, hosts: new Set(living.map((one) => one.host)).size, lost: workers.filter((one) => one.state === 'lost').length }
}
