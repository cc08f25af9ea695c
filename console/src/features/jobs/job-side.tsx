// What a job is, and what hangs together with it.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { WholeJob } from '@/api/operations'
import { Copy } from '@/components/ui/copy'
import { CaseNumber } from '@/components/ui/figures'
import { Sheet } from '@/components/ui/sheet'
import { typeWord } from '@/features/bulk-actions/status'
import { t as bulk } from '@/features/bulk-actions/texts'
import { countText } from '@/lib/counts'
import { dateTime, num } from '@/lib/format'
import { j } from './job-texts'
import { queueWord } from './status'

const inline = 'link inline-flex min-h-6 items-center'

function Rows({ id, title, rows }: { id: string; title: string; rows: Array<[string, ReactNode] | null> }) {
  return (
    <Sheet aria-labelledby={id}>
      <header className="flex min-h-11 items-center border-b px-4 py-2"><h2 id={id}>{title}</h2></header>
      <dl>
        {rows.filter((row) => row !== null).map(([name, value]) => (
          <div key={name} className="flex items-baseline gap-3 border-t px-4 py-1.5 first:border-t-0">
            <dt className="w-[104px] flex-none text-muted-foreground">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}

export function DataSheet({ job }: { job: WholeJob }) {
  const when = (at: string | null) => (at ? <time dateTime={at}>{dateTime(at)}</time> : '–')
  return (
    <Rows
      id="data"
      title={j.data()}
      rows={[
        [j.queue(), <Link key="q" to="/queues/$name" params={{ name: job.queue }} className={inline}>{queueWord[job.queue]()}</Link>],
        [j.kind(), <span key="k" className="font-mono text-xs">{job.kind}</span>],
        [j.bureau(), `${job.bureau.code} ${job.bureau.name}`],
        [j.runs(), <span key="r" className="num">{num(job.runs)}</span>],
        [j.failures(), <span key="f" className="num">{num(job.failures)}</span>],
        job.worker ? [j.worker(), <span key="w" className="font-mono text-xs">{job.worker}</span>] : null,
        [j.createdAt(), when(job.createdAt)],
        [j.startedAt(), when(job.startedAt)],
        [j.finishedAt(), when(job.finishedAt)],
        job.createdBy ? [j.startedBy(), job.createdBy.name] : null,
        job.retriedBy ? [j.retriedBy(), job.retriedBy.name] : null,
        job.errorCode ? [j.errorCode(), <span key="e" className="font-mono text-xs">{job.errorCode}</span>] : null,
        job.requestId ? [j.requestId(), <span key="i" className="inline-flex items-center gap-1"><span className="font-mono text-xs">{job.requestId}</span><Copy label={j.copyRequest()} value={job.requestId} /></span>] : null,
        job.traceId ? [j.traceId(), <span key="t" className="inline-flex items-center gap-1">{job.traceUrl ? <a href={job.traceUrl} target="_blank" rel="noreferrer" className="link font-mono text-xs">{job.traceId}</a> : <span className="font-mono text-xs">{job.traceId}</span>}<Copy label={j.copyTrace()} value={job.traceId} /></span>] : null,
      ]}
    />
  )
}

export function RelatedSheet({ job }: { job: WholeJob }) {
  return (
    <Rows
      id="related"
      title={j.related()}
      rows={[
        job.caseNumber ? [j.case(), <Link key="c" to="/case_list" search={{ number: job.caseNumber, status: 'all' }} className={inline}><CaseNumber number={job.caseNumber} /></Link>] : null,
        job.bulkAction ? [j.bulkAction(), <Link key="b" to="/bulk_actions/$id" params={{ id: String(job.bulkAction.id) }} className="link">{typeWord[job.bulkAction.type]()} {bulk.numberOf(job.bulkAction.id)}</Link>] : null,
        job.errorGroup && job.sameError ? [j.sameError(), <Link key="s" to="/jobs" search={{ errorGroup: job.errorGroup, state: ['failed'] }} className={inline}>{j.jobsWord(countText(job.sameError), job.sameError.value)}</Link>] : null,
        [j.log(), <Link key="l" to="/audit" search={{ jobId: job.id }} className={inline}>{j.aboutJob()}</Link>],
      ]}
    />
  )
}
