// The cells that say how a queue is: its state and why, its workers, its last hour.
import type { QueueAnswer } from '@/api/operations'
import { Age } from '@/components/ui/span'
import { Sparkline } from '@/components/ui/sparkline'
import { Squares } from '@/components/ui/squares'
import { decimal, hourMinute, isoDay, whenShort } from '@/lib/format'
import { lastingWord } from '@/lib/span'
import { cn } from '@/lib/utils'
import { drainOf } from './drain'
import { registerWord } from './status'
import { t } from './texts'
import { isIdle } from './trouble'

/** "126/min", or "2,1/s" where a minute would be too long a word. */
export function rateWord(perMinute: number): string {
  return perMinute >= 60 ? t.state.perSecond(decimal(perMinute / 60)) : t.state.perMinute(decimal(perMinute))
}

/** A time today, otherwise with its day. */
function clock(at: string): string {
  return isoDay(at) === isoDay(Date.now()) ? hourMinute(at) : whenShort(at)
}

/** The line under the state: the cause where it stands, the pace where it goes. */
export function stateNote(queue: QueueAnswer): string {
  if (queue.state === 'no_workers' && !(isIdle(queue) && queue.pause)) return t.state.nobody()
  if (queue.state === 'register_down') return queue.register ? registerWord(queue.register) : ''
  if (queue.state === 'stuck') return t.state.stuck()
  if (queue.pause) return [queue.pause.until ? t.state.until(clock(queue.pause.until)) : '', queue.pause.reason].filter(Boolean).join(', ')
  if (queue.bulkActions > 0) return t.state.actions(queue.bulkActions, queue.bureaus)
  if (queue.name === 'interactive' && queue.meanRunMs !== null) return t.state.answer(lastingWord(queue.meanRunMs + (queue.meanWaitMs ?? 0)))
  return queue.donePerMinute + queue.failedPerMinute > 0 ? t.state.rate(rateWord(queue.donePerMinute + queue.failedPerMinute)) : t.state.quiet()
}

export function standsStill(queue: QueueAnswer): boolean {
  return (queue.state === 'no_workers' && !isIdle(queue)) || queue.state === 'register_down' || queue.state === 'stuck'
}

export function Oldest({ queue }: { queue: QueueAnswer }) {
  if (!queue.oldestDueAt) return <span className="text-muted-foreground">–</span>
  return <Age at={queue.oldestDueAt} className={cn(standsStill(queue) && 'font-semibold text-err')} />
}

export function DrainWord({ queue }: { queue: QueueAnswer }) {
  const { word, tone } = drainOf(queue)
  return <span className={cn(tone === 'err' && 'font-medium text-err', tone === 'quiet' && 'text-muted-foreground')}>{word}</span>
}

export function LastHour({ queue }: { queue: QueueAnswer }) {
  const sum = (of: number[]) => of.reduce((total, one) => total + one, 0)
  return <Sparkline done={queue.minutes.done} failed={queue.minutes.failed} label={t.hourSaid(sum(queue.minutes.done), sum(queue.minutes.failed))} />
}

export function failsNow(queue: QueueAnswer): boolean {
  return queue.minutes.failed.some((n) => n > 0)
}

/** Processes as squares, and in words. */
export function Life({ of, inline }: { of: { alive: number; doubtful: number; lost: number }; inline?: boolean }) {
  const none = of.alive + of.doubtful + of.lost === 0
  return (
    <span className={inline ? 'inline-flex min-h-6 items-center gap-2' : 'grid gap-[3px]'}>
      <Squares of={of} />
      <span className="text-xs whitespace-nowrap">
        {of.alive > 0 ? t.workers.alive(of.alive) : null}
        {of.alive > 0 && of.doubtful > 0 ? ' · ' : null}
        {of.doubtful > 0 ? <b className="font-medium text-warn">{t.workers.doubtful(of.doubtful)}</b> : null}
        {of.alive + of.doubtful > 0 && of.lost > 0 ? ' · ' : null}
        {of.lost > 0 ? <b className="font-semibold text-err">{t.workers.lost(of.lost)}</b> : null}
        {none ? <span className="text-muted-foreground">{t.workers.none()}</span> : null}
      </span>
    </span>
  )
}
