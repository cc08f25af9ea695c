// What can be done with the ticked jobs, or with everything that matches.
import type { Count, Job } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { refusal } from '@/lib/allowed'
import { countText } from '@/lib/counts'
import { t } from './texts'

/** Why none of the jobs allows the act, or null where one does. */
export function whyNone(jobs: Job[], act: 'retry' | 'cancel'): string | null {
  const reasons = jobs.map((job) => refusal(job, act))
  if (reasons.includes(null)) return null
  return new Set(reasons).size === 1 ? (reasons[0] ?? null) : t.nonePossible()
}

export function BulkBar({ jobs, onPage, whole, count, busy, onWhole, onAct, onActAll, onClear }: {
  /** The ticked ones. */
  jobs: Job[]
  onPage: number
  /** Whether everything that matches is selected. */
  whole: boolean
  count: Count | undefined
  busy: boolean
  onWhole: () => void
  onAct: (act: 'retry' | 'cancel') => void
  onActAll: (act: 'retry' | 'cancel') => void
  onClear: () => void
}) {
  const clear = <Button variant="ghost" onClick={onClear}>{t.clearPicked()}</Button>
  if (whole && count) {
    return (
      <div className="flex min-h-10 flex-none flex-wrap items-center gap-2 border-b bg-selected px-3 py-1.5">
        <b className="font-semibold" role="status">{t.pickedAll(countText(count), count.value)}</b>
        <Button onClick={() => onActAll('retry')}><Icon name="retry" />{t.retryMatches()}</Button>
        <Button variant="danger" onClick={() => onActAll('cancel')}><Icon name="stop" />{t.cancelMatches()}</Button>
        {clear}
      </div>
    )
  }
  if (jobs.length === 0) return null
  return (
    <div className="flex min-h-10 flex-none flex-wrap items-center gap-2 border-b bg-selected px-3 py-1.5">
      <span><b className="font-semibold" role="status">{t.picked(jobs.length)}</b> <span className="text-muted-foreground">· {t.onPage(onPage)}</span></span>
      {count && count.value > jobs.length ? <Button onClick={onWhole}>{t.pickAll(countText(count), count.value)}</Button> : null}
      <Button disabled={busy} reason={whyNone(jobs, 'retry')} onClick={() => onAct('retry')}><Icon name="retry" />{t.retry()}</Button>
      <Button disabled={busy} variant="danger" reason={whyNone(jobs, 'cancel')} onClick={() => onAct('cancel')}><Icon name="stop" />{t.cancelMatches()}</Button>
      {clear}
    </div>
  )
}
