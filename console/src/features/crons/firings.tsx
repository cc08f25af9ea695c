// The last firings of a cron: how each ended, how late it was, how long it took, who ran it.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Badge } from '@/components/ui/badge'
import { Empty } from '@/components/ui/feedback'
import { Part } from '@/components/ui/part'
import { dateTime, num, timeOf } from '@/lib/format'
import { lastingWord } from '@/lib/span'
import { useNow } from '@/lib/use-now'
import { usePhone } from '@/lib/use-phone'
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

const Outcome = ({ run }: { run: CronRun }) => <Badge tone={outcomeOf(run).tone} icon={outcomeOf(run).icon}>{outcomeOf(run).word()}</Badge>
const Due = ({ run }: { run: CronRun }) => <time dateTime={run.scheduled_at} title={`${dateTime(run.scheduled_at)}:${timeOf(run.scheduled_at).slice(-2)}`}>{dateTime(run.scheduled_at)}</time>
function Delay({ run }: { run: CronRun }) {
  const ms = delayMs(run)
  return ms === null ? quiet : <span className={cn(run.late && 'font-semibold text-warn')}>{lastingWord(ms)}</span>
}
const By = ({ run }: { run: CronRun }) => (run.ordered_by ? t.runs.by(run.ordered_by.name) : <span className="text-muted-foreground">{t.runs.scheduler()}</span>)
const JobLink = ({ run }: { run: CronRun }) => (run.job ? <Link to="/jobs/$id" params={{ id: String(run.job) }} aria-label={t.runs.toJob(num(run.job))} className="link inline-flex min-h-6 items-center">{t.runs.job(num(run.job))}</Link> : quiet)

function columns(scale: number, now: number): Column<Row>[] {
  const c = t.columns
  return [
    { key: 'due', title: c.due(), width: 140, pinned: true, className: 'num text-left!', cell: (run) => <Due run={run} /> },
    { key: 'outcome', title: c.outcome(), width: 150, cell: (run) => <Outcome run={run} /> },
    { key: 'delay', title: c.delay(), width: 104, numeric: true, cell: (run) => <Delay run={run} /> },
    { key: 'took', title: c.scale(), cell: (run) => <Took run={run} scale={scale} now={now} /> },
    { key: 'by', title: c.by(), width: 190, hint: (run) => run.ordered_by?.name, cell: (run) => <By run={run} /> },
    { key: 'marks', title: c.marks(), width: 230, cell: (run) => <Marks run={run} /> },
    { key: 'job', title: c.job(), width: 96, numeric: true, cell: (run) => <JobLink run={run} /> },
  ]
}

const fact = (name: string, value: ReactNode) => <div className="flex gap-1"><dt className="text-muted-foreground">{name}</dt><dd>{value}</dd></div>

function Card({ run, now }: { run: CronRun; now: number }) {
  const tone = edge(run)
  const ms = lastedMs(run, now)
  const c = t.columns
  return (
    <li className={cn('grid gap-1 border-t px-3 py-2.5 first:border-t-0', tone === 'err' && 'shadow-[inset_2px_0_0_var(--err-solid)]', tone === 'warn' && 'shadow-[inset_2px_0_0_var(--warn-solid)]')}>
      <div className="flex flex-wrap items-center justify-between gap-x-2"><span className="num font-medium"><Due run={run} /></span><Outcome run={run} /></div>
      {run.late || run.overlapped ? <Marks run={run} /> : null}
      <dl className="num flex flex-wrap items-center gap-x-4 gap-y-1 text-xs">
        {fact(c.delay(), <Delay run={run} />)}
        {fact(c.took(), ms === null ? quiet : lastingWord(ms))}
        {fact(c.by(), <By run={run} />)}
        {run.job ? <div className="flex items-center gap-1"><dt className="text-muted-foreground">{c.job()}</dt><dd><JobLink run={run} /></dd></div> : null}
      </dl>
    </li>
  )
}

export function Firings({ runs }: { runs: CronRun[] }) {
  const phone = usePhone()
  const now = useNow(runs.some((run) => run.outcome === 'running'))
  const scale = Math.max(1, ...runs.map((run) => lastedMs(run, now) ?? 0))
  return (
    <Part title={t.runs.title()} hint={runs.length > 0 ? t.runs.hint(runs.length) : null}>
      {phone && runs.length > 0 ? <ul aria-label={t.runs.title()}>{runs.map((run) => <Card key={run.scheduled_at} run={run} now={now} />)}</ul> : null}
      {runs.length === 0 ? <Empty icon="calendar" title={t.runs.none()}>{t.runs.noneHint()}</Empty> : phone ? null : (
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={t.runs.title()}>
          <DataTable label={t.runs.title()} columns={columns(scale, now)} rows={runs.map((run) => ({ ...run, id: Date.parse(run.scheduled_at) }))} rowName={(run) => dateTime(run.scheduled_at)} tone={edge} minWidth={1080} />
        </div>
      )}
    </Part>
  )
}
