// The parts of a queue's page below its course: kinds of jobs, whose jobs wait, and its pauses.
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Dated } from '@/api/client'
import type { Pause, QueueDetail } from '@/api/operations'
import type { Collection } from '@/api/types'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { LineFailed } from '@/components/ui/feedback'
import { Part } from '@/components/ui/part'
import { kindWord } from '@/features/jobs/status'
import { countText } from '@/lib/counts'
import { num, whenShort } from '@/lib/format'
import { cn } from '@/lib/utils'
import { pausedWord } from './status'
import { t } from './texts'

type KindRow = QueueDetail['kinds'][number] & { id: number }

export function KindPart({ queue }: { queue: QueueDetail }) {
  const c = t.columns
  const columns: Column<KindRow>[] = [
    { key: 'kind', title: c.kind(), hint: (row) => row.kind, cell: (row) => <><Link to="/jobs" search={{ queue: [queue.name], kind: [row.kind] }} className="link inline-flex min-h-6 items-center font-medium">{kindWord(row.kind)}</Link> <span className="text-xs text-muted-foreground">{row.kind}</span></> },
    { key: 'waiting', title: c.waiting(), width: 84, numeric: true, cell: (row) => countText(row.waiting) },
    { key: 'running', title: c.running(), width: 64, numeric: true, cell: (row) => num(row.running) },
    { key: 'failed', title: c.failed(), width: 84, numeric: true, cell: (row) => <span className={cn(row.failed24h.value > 0 && 'font-semibold')}>{countText(row.failed24h)}</span> },
  ]
  return (
    <Part title={t.page.kinds()}>
      {queue.kinds.length > 0 ? (
        <div className="overflow-x-auto"><DataTable label={t.page.kinds()} columns={columns} rows={queue.kinds.map((one, index) => ({ ...one, id: index }))} rowName={(row) => kindWord(row.kind)} minWidth={420} /></div>
      ) : <p className="px-3 py-3 text-muted-foreground">{t.page.noKinds()}</p>}
    </Part>
  )
}

export function BureauPart({ queue }: { queue: QueueDetail }) {
  return (
    <Part title={t.page.bureaus()} aside={queue.waitingBureaus.length >= 20 ? t.page.bureausHint() : null}>
      {queue.waitingBureaus.length > 0 ? (
        <ul>
          {queue.waitingBureaus.map(({ bureau, waiting }) => (
            <li key={bureau.id} className="flex min-h-8 items-center gap-2.5 border-t px-3 first:border-t-0">
              <span className="rounded-sm border border-input px-[5px] text-2xs font-semibold">{bureau.code}</span>
              <Link to="/jobs" search={{ queue: [queue.name], bureau: bureau.code, state: ['queued', 'dispatched'] }} className="link min-w-0 truncate">{bureau.name}</Link>
              <b className="num ml-auto font-medium">{countText(waiting)}</b>
            </li>
          ))}
        </ul>
      ) : <p className="px-3 py-3 text-muted-foreground">{t.page.noBureaus()}</p>}
    </Part>
  )
}

const SHOWN = 8

export function PausePart({ queue, found }: { queue: QueueDetail; found: UseQueryResult<Dated<Collection<Pause>>> }) {
  const kinds = new Set(queue.kinds.map((one) => one.kind))
  const pauses = (found.data?.body.member ?? []).filter((pause) => pause.queue === queue.name || (pause.kind !== null && kinds.has(pause.kind))).slice(0, SHOWN)
  return (
    <Part title={t.page.pauses()}>
      {found.isError ? <p className="px-3 py-3"><LineFailed title={t.page.pausesFailed()} error={found.error} onRetry={() => void found.refetch()} /></p> : null}
      {found.data && pauses.length === 0 ? <p className="px-3 py-3 text-muted-foreground">{t.page.noPauses()}</p> : null}
      <ul>
        {pauses.map((pause) => (
          <li key={pause.id} className="grid gap-0.5 border-t px-3 py-2 first:border-t-0">
            <span className="flex flex-wrap items-baseline gap-x-2">
              {pause.queue ? null : <b className="font-medium">{pausedWord(pause)}</b>}
              <span className="break-words">{t.paused.quote(pause.reason)}</span>
            </span>
            <span className="num text-xs text-muted-foreground">
              {[pause.createdBy?.name, `${t.paused.since()} ${whenShort(pause.createdAt)}`, pause.endedAt ? t.page.ended(whenShort(pause.endedAt)) : t.page.holds()].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}
