// The columns of the job list: their names, which are shown at first, how each is drawn.
import { Link } from '@tanstack/react-router'
import type { Job } from '@/api/operations'
import type { Column } from '@/components/data-table/data-table'
import { CaseNumber } from '@/components/ui/figures'
import { typeWord } from '@/features/bulk-actions/status'
import { dateTime, duration, num, whenShort } from '@/lib/format'
import { JobBadge, kindWord, queueWord } from './status'
import { t } from './texts'

export type JobColumn = keyof typeof t.columns
export const COLUMNS = Object.keys(t.columns) as JobColumn[]
const DEFAULT: JobColumn[] = ['id', 'state', 'kind', 'queue', 'bureau', 'caseNumber', 'debtorName', 'output', 'runs', 'finishedAt']

/** Those the person keeps, or the usual ones; the number always stands. */
export function chosenColumns(saved: string[] | null | undefined): Set<JobColumn> {
  const kept = saved?.filter((one): one is JobColumn => (COLUMNS as string[]).includes(one)) ?? []
  return new Set<JobColumn>(['id', ...(kept.length > 0 ? kept : DEFAULT)])
}

const none = <span className="text-muted-foreground">–</span>

function when(at: string | null) {
  return at ? <time dateTime={at} title={dateTime(at)}>{whenShort(at)}</time> : none
}

const grey = 'text-muted-foreground'
const look: Record<JobColumn, Omit<Column<Job>, 'key' | 'title'>> = {
  id: { width: 92, pinned: true, cell: (job) => <Link to="/jobs/$id" params={{ id: String(job.id) }} className="link num inline-flex min-h-6 items-center font-medium">{num(job.id)}</Link> },
  state: { width: 140, cell: (job) => <JobBadge job={job} /> },
  kind: { width: 164, cell: (job) => kindWord(job.kind), hint: (job) => job.kind },
  queue: { width: 116, cell: (job) => queueWord[job.queue](), hint: (job) => job.queue },
  bureau: { width: 60, cell: (job) => job.bureau.code, hint: (job) => job.bureau.name },
  caseNumber: { width: 132, cell: (job) => (job.caseNumber ? <CaseNumber number={job.caseNumber} /> : none) },
  debtorName: { width: 148, cell: (job) => job.debtorName ?? none, hint: (job) => job.debtorName ?? undefined },
  output: { cell: (job) => job.output?.split('\n')[0] || none, hint: (job) => job.output ?? undefined },
  errorCode: { width: 140, cell: (job) => (job.errorCode ? <span className="font-mono text-xs">{job.errorCode}</span> : none), hint: (job) => job.errorCode ?? undefined },
  bulkAction: {
    width: 200,
    cell: (job) => (job.bulkAction ? <Link to="/bulk_actions/$id" params={{ id: String(job.bulkAction.id) }} className="link inline-flex min-h-6 items-center">{typeWord[job.bulkAction.type]()} {num(job.bulkAction.id)}</Link> : none),
  },
  runs: { width: 60, numeric: true, className: grey, cell: (job) => num(job.runs) },
  failures: { width: 56, numeric: true, className: grey, cell: (job) => num(job.failures) },
  createdAt: { width: 124, numeric: true, className: grey, cell: (job) => when(job.createdAt) },
  runAt: { width: 124, numeric: true, className: grey, cell: (job) => (job.state === 'queued' ? when(job.runAt) : none) },
  startedAt: { width: 124, numeric: true, className: grey, cell: (job) => when(job.startedAt) },
  finishedAt: { width: 124, numeric: true, className: grey, cell: (job) => when(job.finishedAt) },
  duration: { width: 80, numeric: true, className: grey, cell: (job) => (job.startedAt && job.finishedAt ? duration(job.startedAt, job.finishedAt) : none) },
  createdBy: { width: 150, className: grey, cell: (job) => job.createdBy?.name ?? none, hint: (job) => job.createdBy?.name },
}

/** The chosen columns in their order, ready for the table. */
export function tableColumns(chosen: ReadonlySet<JobColumn>): Column<Job>[] {
  const columns: Column<Job>[] = COLUMNS.filter((key) => chosen.has(key)).map((key) => ({ key, title: t.columns[key](), ...look[key] }))
  // Without a column that takes the rest, the last one of words does, so that figures keep to the right.
  const last = columns.some((column) => column.width === undefined) ? undefined : columns.findLast((column) => !column.numeric)
  return columns.map((column) => (column === last ? { ...column, width: undefined } : column))
}

/** How narrow the table may get before it scrolls sideways. */
export function tableWidth(columns: Column<Job>[]): number {
  return columns.reduce((sum, column) => sum + (column.width ?? 150), 34)
}
