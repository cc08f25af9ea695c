// Why a running action stands: the cause that the server names, who paused it and until when.
import { Link } from '@tanstack/react-router'
import type { BulkAction } from '@/api/types'
import type { OperatorAction, Stall } from '@/api/operations'
import { Icon, type IconName } from '@/components/ui/icons'
import { queueWord } from '@/features/jobs/status'
import { whenShort } from '@/lib/format'
import { stillWords } from '@/lib/rate'
import { t } from './texts'

const STANDS_MS = 60_000

function lead(stall: Stall): string {
  const queue = stall.queue ? queueWord[stall.queue]() : null
  switch (stall.code) {
    case 'action_paused': return t.pausedCause()
    case 'paused': return [queue ? t.stall.queuePaused(queue) : t.stall.paused(), stall.until ? t.stall.until(whenShort(stall.until)) : null].filter(Boolean).join(' ')
    case 'register_down': return t.stall.registerDown(t.register(stall.register ?? ''))
    case 'no_workers': return queue ? t.stall.noWorkers(queue) : t.stall.noWorkersAtAll()
    case 'retry': return [t.stall.retry(), stall.until ? t.stall.next(whenShort(stall.until)) : null].filter(Boolean).join(', ')
  }
}

/** One sentence, with who paused and why where somebody did. */
export function stallWords(stall: Stall): string {
  const who = stall.code === 'paused' && stall.by ? t.stall.by(stall.by) : null
  const why = stall.code === 'paused' && stall.reason ? t.stall.quoted(stall.reason) : null
  return [lead(stall).replace(/\.$/, ''), who, why].filter(Boolean).join(' · ')
}

const icon: Record<Stall['code'], IconName> = { paused: 'pause', action_paused: 'pause', register_down: 'zap', no_workers: 'worker', retry: 'retry' }

/** A bulk action or an operator's. */
type Steered = Pick<BulkAction, 'stall' | 'pausedAt' | 'startedAt' | 'createdAt'> | Pick<OperatorAction, 'stall' | 'pausedAt' | 'startedAt' | 'createdAt'>

/** Nothing is at work and the server knows what all of it waits for: a pace of before foretells nothing. */
export function stands(action: Pick<Steered, 'stall'>, running: boolean): boolean {
  const stall = action.stall ?? null
  return !running && stall !== null && stall.code !== 'retry'
}

/** Under the bar, `held` where a person paused it; once a minute passed without movement, or sooner where the server knows why. */
export function StallLine({ action, running, held, stillSeconds, now }: { action: Steered; running: boolean; held: string; stillSeconds: number | null; now: number }) {
  const paused = Boolean(action.pausedAt)
  const stall = action.stall ?? null
  // A register may have been down before the action began.
  const since = stall?.since ? Math.max(Date.parse(stall.since), Date.parse(action.startedAt ?? action.createdAt)) : now
  const still = Math.max(stillSeconds ?? 0, Math.floor((now - since) / 1000))
  const long = still * 1000 >= STANDS_MS
  if (!paused && !long && !stands(action, running)) return null
  const code = paused ? 'action_paused' : stall?.code
  const words = paused ? held.replace(/\.$/, '') : stall ? stallWords(stall) : t.stall.unknown().replace(/\.$/, '')
  return (
    <p role="status" className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-1 text-xs text-warn">
      <Icon name={code ? icon[code] : 'pause'} className="mt-[3px] size-3.5" />
      <span className="leading-5 wrap-anywhere">
        {long ? <><b className="font-semibold">{t.stalled(stillWords(still))}</b> · </> : null}
        {words}.{' '}
        {!paused && stall?.queue ? <Link to="/queues/$name" params={{ name: stall.queue }} className="link text-foreground">{t.stall.open()}</Link> : null}
      </span>
    </p>
  )
}
