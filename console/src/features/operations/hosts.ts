// Processes put together by the machine they run on; pure.
import type { QueueName, WorkerAnswer, WorkerState } from '@/api/operations'

export type Host = {
  name: string
  workers: WorkerAnswer[]
  counts: Record<'alive' | 'doubtful' | 'lost', number>
  /** What the machine takes: jobs at once by queue, and the worst state among the processes that take it. */
  takes: Array<{ queue: QueueName; jobs: number; state: WorkerState }>
}

const WORSE: WorkerState[] = ['stopped', 'alive', 'doubtful', 'lost']

function worse(a: WorkerState, b: WorkerState): WorkerState {
  return WORSE.indexOf(a) >= WORSE.indexOf(b) ? a : b
}

/** Machines by name; stopped processes belong to a machine but are neither counted nor take anything. */
export function byHost(workers: WorkerAnswer[]): Host[] {
  const hosts = new Map<string, WorkerAnswer[]>()
  for (const worker of workers) hosts.set(worker.host, [...(hosts.get(worker.host) ?? []), worker])
  return [...hosts].toSorted(([a], [b]) => a.localeCompare(b)).map(([name, members]) => {
    const counts = { alive: 0, doubtful: 0, lost: 0 }
    const takes = new Map<QueueName, Host['takes'][number]>()
    for (const worker of members) {
      if (worker.state === 'stopped') continue
      counts[worker.state]++
      for (const [queue, jobs] of Object.entries(worker.concurrency) as Array<[QueueName, number]>) {
        if (jobs <= 0) continue
        const before = takes.get(queue)
        takes.set(queue, { queue, jobs: jobs + (before?.jobs ?? 0), state: before ? worse(before.state, worker.state) : worker.state })
      }
    }
    return { name, workers: members.toSorted((a, b) => WORSE.indexOf(b.state) - WORSE.indexOf(a.state) || a.name.localeCompare(b.name)), counts, takes: [...takes.values()] }
  })
}
