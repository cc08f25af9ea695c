// The pace of a running action: at most so many cases a second, so many at once; a change takes effect by itself and can be taken back.
import { useEffect, useRef, useState } from 'react'
import type { BulkAction } from '@/api/types'
import { Stepper } from '@/components/ui/stepper'
import { refusal } from '@/lib/allowed'
import { num } from '@/lib/format'
import { toasts } from '@/lib/toasts'
import { type Pace, useSetPace } from './acts'
import { t } from './texts'

/** Several presses are one change. */
const SETTLE_MS = 600
const MOST_PER_SECOND = 100_000
const MOST_PARALLEL = 10_000

function said(value: number | null): string | null {
  return value === null ? null : num(value)
}

export function PacePanel({ action, perSecond, onAct }: { action: BulkAction; /** The present pace, where the steps begin. */ perSecond: number | null; onAct: () => void }) {
  const now: Pace = { perSecond: action.pace.perSecond ?? null, parallel: action.pace.parallel ?? null }
  const [wanted, setWanted] = useState<Pace | null>(null)
  const set = useSetPace(action.id)
  const timer = useRef(0)
  const shown = wanted ?? now
  const reason = refusal(action, 'pace')
  useEffect(() => () => clearTimeout(timer.current), [])

  function send(pace: Pace, before: Pace | null) {
    onAct()
    set.mutate(pace, {
      onSuccess: () => {
        if (before) toasts.undoable(t.paceSet(said(pace.perSecond), said(pace.parallel)), () => send(before, null))
      },
      onSettled: () => setWanted(null),
    })
  }
  function change(part: Partial<Pace>) {
    const next = { ...shown, ...part }
    setWanted(next)
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      if (next.perSecond === now.perSecond && next.parallel === now.parallel) setWanted(null)
      else send(next, now)
    }, SETTLE_MS)
  }

  return (
    <section aria-label={t.pace()} className="grid content-start gap-1 border-l px-4 py-3 max-lg:border-t max-lg:border-l-0 max-sm:hidden">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <span aria-hidden="true">{t.perSecondMost()}</span>
        <Stepper label={t.perSecondMost()} none={t.noLimit()} value={shown.perSecond} max={MOST_PER_SECOND} start={Math.max(1, Math.round(perSecond ?? 10))} reason={reason} onChange={(value) => change({ perSecond: value })} />
      </div>
      <div className="flex min-h-8 items-center justify-between gap-2">
        <span aria-hidden="true">{t.parallelMost()}</span>
        <Stepper label={t.parallelMost()} none={t.noLimit()} value={shown.parallel} max={MOST_PARALLEL} start={Math.max(1, action.counts.running || 10)} reason={reason} onChange={(value) => change({ parallel: value })} />
      </div>
      <p className="mt-1 text-xs text-muted-foreground">{reason ?? t.paceHint()}</p>
    </section>
  )
}
