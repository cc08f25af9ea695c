// The last firings of a cron: how each ended, how late it was, how long it took, who ran it.
import { Link } from '@tanstack/react-router'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Badge } from '@/components/ui/badge'
import { Empty } from '@/components/ui/feedback'
import { Part } from '@/components/ui/part'
import { dateTime, num, timeOf } from '@/lib/format'
import { lastingWord } from '@/lib/span'
import { useNow } from '@/lib/use-now'
import { cn } from '@/lib/utils'
import type { CronRun } from './queries'
import { delayMs, lastedMs, outcomeOf } from './status'
import { t } from './texts'

const fill = { ok: 'bg-ok-solid', warn: 'bg-warn-solid', err: 'bg-err-solid', run: 'bg-run-solid', queued: 'bg-queued-solid', plain: 'bg-queued-solid' }
const quiet = <span className="text-muted-foreground">–</span>

type Row = CronRun & { id: number }

function Took({ run, scale, now }: { run: CronRun; scale: number; now: number }) {
  const ms = lastedMs(run, now)
  if (ms === null) return quiet
  return (
    <span className="grid grid-cols-[minmax(0,1fr)_64px] items-center gap-3">
      <span aria-hidden="true" className="relative block h-1.5 rounded-[2px] bg-muted">
        <span className={cn('absolute inset-y-0 left-0 min-w-0.5 rounded-[2px]', fill[outcomeOf(run).tone])} style={{ width: `${Math.min(100, (ms / scale) * 100)}%` }} />
      </span>
      <span className="num text-right">{lastingWord(ms)}</span>
    </span>
  )
}

function Marks({ run }: { run: CronRun }) {
  if (!run.late && !run.overlapped) return quiet
  return (
    <span className="flex gap-3">
      {run.late ? <Badge tone="warn" icon="clock">{t.runs.late()}</Badge> : null}
      {run.overlapped ? <Badge tone="warn" icon="layers">{t.runs.overlapped()}</Badge> : null}
    </span>
  )
}

function edge(run: CronRun): 'err' | 'warn' | undefined {
  const { tone } = outcomeOf(run)
  return tone === 'err' ? 'err' : tone === 'warn' || run.late || run.overlapped ? 'warn' : undefined
}

function columns(scale: number, now: number): Column<Row>[] {
  const c = t.columns
  return [
    { key: 'due', title: c.due(), width: 140, pinned: true, className: 'num text-left!', cell: (run) => <time dateTime={run.scheduled_at} title={`${dateTime(run.scheduled_at)}:${timeOf(run.scheduled_at).slice(-2)}`}>{dateTime(run.scheduled_at)}</time> },
    { key: 'outcome', title: c.outcome(), width: 150, cell: (run) => <Badge tone={outcomeOf(run).tone} icon={outcomeOf(run).icon}>{outcomeOf(run).word()}</Badge> },
    { key: 'delay', title: c.delay(), width: 104, numeric: true, cell: (run) => { const ms = delayMs(run); return ms === null ? quiet : <span className={cn(run.late && 'font-semibold text-warn')}>{lastingWord(ms)}</span> } },
    { key: 'took', title: c.scale(), cell: (run) => <Took run={run} scale={scale} now={now} /> },
    { key: 'by', title: c.by(), width: 190, hint: (run) => run.ordered_by?.name, cell: (run) => (run.ordered_by ? t.runs.by(run.ordered_by.name) : <span className="text-muted-foreground">{t.runs.scheduler()}</span>) },
    { key: 'marks', title: c.marks(), width: 230, cell: (run) => <Marks run={run} /> },
    { key: 'job', title: c.job(), width: 96, numeric: true, cell: (run) => (run.job ? <Link to="/jobs/$id" params={{ id: String(run.job) }} aria-label={t.runs.toJob(num(run.job))} className="link inline-flex min-h-6 items-center">{t.runs.job(num(run.job))}</Link> : quiet) },
  ]
}

export function Firings({ runs }: { runs: CronRun[] }) {
  const now = useNow(runs.some((run) => run.outcome === 'running'))
  const scale = Math.max(1, ...runs.map((run) => lastedMs(run, now) ?? 0))
  return (
    <Part title={t.runs.title()} hint={runs.length > 0 ? t.runs.hint(runs.length) : null}>
      {runs.length === 0 ? <Empty icon="calendar" title={t.runs.none()}>{t.runs.noneHint()}</Empty> : (
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={t.runs.title()}>
          <DataTable label={t.runs.title()} columns={columns(scale, now)} rows={runs.map((run) => ({ ...run, id: Date.parse(run.scheduled_at) }))} rowName={(run) => dateTime(run.scheduled_at)} tone={edge} minWidth={1080} />
        </div>
      )}
    </Part>
  )
}
