// What a launch would do: the filter in words, the number, how many are skipped and why, ten jobs to look at.
import type { UseQueryResult } from '@tanstack/react-query'
import { ApiError, sentence } from '@/api/errors'
import type { Job, JobFilter, OperatorKind, OperatorPreview } from '@/api/operations'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Bone, LoadFailed, useLate } from '@/components/ui/feedback'
import { CaseNumber } from '@/components/ui/figures'
import { filterSaid } from '@/features/jobs/queries'
import { JobBadge, kindWord, queueWord } from '@/features/jobs/status'
import { countText } from '@/lib/counts'
import { num, timeOf } from '@/lib/format'
import { processedText, takenOf } from './sums'
import { kindLook, s, t } from './texts'

function columns(): Column<Job>[] {
  return [
    { key: 'id', title: t.columns.job(), width: 104, cell: (job) => num(job.id) },
    { key: 'state', title: t.columns.state(), width: 150, cell: (job) => <JobBadge job={job} /> },
    { key: 'kind', title: t.columns.jobKind(), cell: (job) => kindWord(job.kind), hint: (job) => job.kind },
    { key: 'queue', title: t.columns.queue(), width: 120, cell: (job) => queueWord[job.queue]() },
    { key: 'case', title: t.columns.case(), width: 136, cell: (job) => (job.caseNumber ? <CaseNumber number={job.caseNumber} /> : '–') },
    { key: 'why', title: t.columns.why(), cell: (job) => job.output?.split('\n')[0] ?? '–', hint: (job) => job.output ?? undefined },
  ]
}

function Why({ preview }: { preview: OperatorPreview }) {
  const taken = takenOf(preview)
  const skipped = preview.skippedCount.value
  const said = processedText(preview)
  return (
    <div className="mt-4 border-t pt-3">
      <h3>{said}</h3>
      <div className="mt-1.5 flex h-2 gap-px overflow-hidden rounded-[2px]" role="img" aria-label={said}>
        {taken > 0 ? <span className="block min-w-[3px] bg-foreground" style={{ flex: taken }} /> : null}
        {skipped > 0 ? <span className="part-warn block min-w-[3px]" style={{ flex: skipped }} /> : null}
      </div>
      {preview.skipped.length > 0 ? (
        <ul className="mt-2 grid grid-cols-3 gap-y-2 max-sm:grid-cols-1">
          {preview.skipped.map((one) => (
            <li key={one.reason} className="grid grid-cols-[auto_1fr] gap-x-2 border-l px-4 first:border-l-0 first:pl-0 max-sm:border-l-0 max-sm:px-0">
              <b className="font-semibold">{num(one.count)}</b>
              <span>{one.text}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

export function StartPreview({ kind, filter, preview }: { kind: OperatorKind; filter: JobFilter; preview: UseQueryResult<OperatorPreview> }) {
  const late = useLate(preview.isPending)
  const found = preview.data
  if (preview.isError) {
    return <LoadFailed title={sentence(preview.error, s.failed())} requestId={preview.error instanceof ApiError ? preview.error.requestId : null} onRetry={() => void preview.refetch()} />
  }
  if (!found) {
    return (
      <div className="grid min-h-80 content-start gap-4" role="status">
        <span className="sr-only">{s.loading()}</span>
        {late ? ['w-1/3', 'w-2/3', 'w-full', 'w-1/2'].map((width) => <Bone key={width} className={width} />) : null}
      </div>
    )
  }
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_300px] gap-x-8 gap-y-3 max-md:grid-cols-1">
        <div>
          <p className="flex items-baseline gap-2">
            <span className="display text-xl font-semibold tracking-[-0.022em]">{countText(found.count)}</span>
            <span className="text-md">{t.jobs(found.count.value)}</span>
          </p>
          <p className="mt-2">{s.which()}: <b className="font-semibold">{filterSaid(filter)}</b></p>
          <p className="mt-1.5 text-xs text-muted-foreground">{s.frozen(timeOf(preview.dataUpdatedAt))}</p>
        </div>
        <dl className="content-start">
          {[{ name: s.what(), value: kindLook[kind].what() }, { name: s.effect(), value: kindLook[kind].effect() }].map((fact) => (
            <div key={fact.name} className="flex justify-between gap-3 border-t py-2.5 first:border-t-0">
              <dt className="whitespace-nowrap text-muted-foreground">{fact.name}</dt>
              <dd className="text-right font-medium">{fact.value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {found.count.value > 0 ? <Why preview={found} /> : null}
      {found.sample.length > 0 ? (
        <>
          <h3 className="mt-3.5 mb-2">{s.sample(found.sample.length)}</h3>
          <div className="-mx-5 overflow-x-auto border-t [--row:28px]">
            <DataTable label={s.sampleTable()} columns={columns()} rows={found.sample} rowName={(job) => num(job.id)} surface="popover" minWidth={760} />
          </div>
        </>
      ) : null}
    </>
  )
}
