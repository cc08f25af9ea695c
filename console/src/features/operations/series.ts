// The figures of a queue's chart, and what of all that is wrong touches the queue; pure.
import type { Overview, QueueDetail, Series } from '@/api/operations'
import { type Trouble, troubles } from './trouble'

export type Totals = { done: number; warning: number; failed: number; cancelled: number; mostWaiting: number | null }

/** What the chart shows in a sentence: ends in all, and the longest line. */
export function totalsOf(series: Series): Totals {
  const sum = (pick: (point: Series['points'][number]) => number) => series.points.reduce((total, point) => total + pick(point), 0)
  const waiting = series.points.flatMap((point) => (point.waiting === null ? [] : [point.waiting]))
  return {
    done: sum((point) => point.ok), warning: sum((point) => point.warning), failed: sum((point) => point.failed), cancelled: sum((point) => point.cancelled),
    mostWaiting: waiting.length > 0 ? Math.max(...waiting) : null,
  }
}

/** What of all that is wrong touches this queue. */
export function troublesOf(overview: Overview, queue: QueueDetail): Trouble[] {
  const kinds = new Set(queue.kinds.map((one) => one.kind))
  const bureaus = new Set(queue.waitingBureaus.map((one) => one.bureau.id))
  return troubles(overview).filter((one) => {
    if (one.kind === 'register') return one.queue?.name === queue.name
    if (one.kind === 'cron') return one.cron.queue === queue.name
    if (one.kind !== 'pause') return one.queue.name === queue.name
    const { pause } = one
    return pause.queue === queue.name || (pause.kind !== null && kinds.has(pause.kind)) || (pause.bureau !== null && bureaus.has(pause.bureau.id))
  })
}
