// Sums over an action's counts, and how they become the parts of the bar.
import type { BulkCounts } from '@/api/types'
import type { Part } from '@/components/ui/progress'

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
