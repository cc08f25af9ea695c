// What a launch would do: the set in words, how many are skipped and why, ten of them to look at.
import type { UseQueryResult } from '@tanstack/react-query'
import { ApiError, sentence } from '@/api/errors'
import { BulkType, type BulkTypeCode, type CaseRow, type Preview } from '@/api/types'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Button } from '@/components/ui/button'
import { CheckboxLabel } from '@/components/ui/checkbox'
import { Bone, LoadFailed, useLate } from '@/components/ui/feedback'
import { Amount, CaseNumber } from '@/components/ui/figures'
import { Icon } from '@/components/ui/icons'
import { useRole } from '@/features/auth/queries'
import { CaseStatusBadge } from '@/features/cases/status'
import { num, timeOf } from '@/lib/format'
import type { Said } from '@/lib/said'
import { isProblemReason, processedCount, skippedCount } from './preview-counts'
import { about, type LaunchType, s } from './start-texts'

function Sentence({ said }: { said: Said }) {
  return (
    <p className="mt-2">
      {said.lead}
      {said.clauses.length > 0 ? `, ${s.where()} ` : ''}
      {said.clauses.map((clause, index) => (
        <span key={clause.before}>
          {index === 0 ? '' : index === said.clauses.length - 1 ? ` ${s.and()} ` : ', '}
          {clause.before} <b className="font-semibold">{clause.value}</b>
        </span>
      ))}
      .
    </p>
  )
}

/** "Ei saa hetkel muuta: lõpetamisel 9 · peatamisel 4": the reason stands, its parts step back. */
function Reason({ text }: { text: string }) {
  const cut = text.indexOf(': ')
  if (cut < 0) return text
  return (
    <>
      {text.slice(0, cut)}
      <span className="block text-xs text-muted-foreground">{text.slice(cut + 2)}</span>
    </>
  )
}

function Why({ preview, includeProblems, onIncludeProblems }: { preview: Preview; includeProblems: boolean; onIncludeProblems?: ((on: boolean) => void) | undefined }) {
  const skipped = skippedCount(preview, includeProblems)
  const processed = processedCount(preview, includeProblems)
  return (
    <div className="mt-4 border-t pt-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3>{s.processed(processed, skipped)}</h3>
        {skipped > 0 ? <span className="text-xs text-muted-foreground">{s.skippedGet()}</span> : null}
      </div>
      <div className="mt-1.5 flex h-2 gap-px overflow-hidden rounded-[2px]" role="img" aria-label={s.processed(processed, skipped)}>
        {processed > 0 ? <span className="block min-w-[3px] bg-foreground" style={{ flex: processed }} /> : null}
        {skipped > 0 ? <span className="part-warn block min-w-[3px]" style={{ flex: skipped }} /> : null}
      </div>
      {preview.skipped.length > 0 ? (
        <ul className="mt-2 grid grid-cols-3 gap-y-2 max-sm:grid-cols-1">
          {preview.skipped.map((one) => (
            <li key={one.reason} className="grid grid-cols-[auto_1fr] gap-x-2 border-l px-4 first:border-l-0 first:pl-0 max-sm:border-l-0 max-sm:px-0">
              <b className="font-semibold">{num(one.count)}</b>
              <span>
                <Reason text={one.text} />
                {isProblemReason(one.reason) && onIncludeProblems ? (
                  <>
                    <CheckboxLabel label={s.includeProblems()} checked={includeProblems} onChange={(event) => onIncludeProblems(event.target.checked)} />
                    <span className="block text-xs text-muted-foreground">{s.problemsWarning()}</span>
                  </>
                ) : null}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function sampleColumns(type: BulkTypeCode): Column<CaseRow>[] {
  const money = (key: 'total_claims' | 'start_fee' | 'issuer_fee' | 'balance', title: string, strong = false): Column<CaseRow> => ({
    key, title, width: 112, numeric: true, cell: (row) => <Amount cents={row[key]?.cents} className={strong ? 'font-medium' : undefined} />,
  })
  const fee = type === BulkType.startFee ? [money('start_fee', s.columns.start(), true)] : type === BulkType.issuerFee ? [money('issuer_fee', s.columns.issuer(), true)] : []
  return [
    { key: 'number', title: s.columns.number(), width: 142, cell: (row) => <CaseNumber number={row.number} /> },
    { key: 'debtor', title: s.columns.debtor(), cell: (row) => row.debtor_name ?? '–', hint: (row) => row.debtor_name ?? undefined },
    money('total_claims', s.columns.claims()),
    ...fee,
    money('balance', s.columns.balance()),
    { key: 'status', title: s.columns.status(), width: 168, cell: (row) => <CaseStatusBadge status={row.status} /> },
  ]
}

export function StartPreview({ type, said, facts, preview, includeProblems, onIncludeProblems }: {
  type: LaunchType
  said: Said
  facts: Array<{ name: string; value: string }>
  preview: UseQueryResult<Preview>
  includeProblems: boolean
  onIncludeProblems?: ((on: boolean) => void) | undefined
}) {
  const role = useRole()
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
  const plan = [{ name: s.what(), value: about[type].what() }, ...facts, { name: s.effect(), value: about[type].effect() }]
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_300px] gap-x-8 gap-y-3 max-md:grid-cols-1">
        <div>
          <p className="flex items-baseline gap-2">
            <span className="display text-xl font-semibold tracking-[-0.022em]">{num(found.count)}</span>
            <span className="text-md">{s.cases(found.count)}</span>
          </p>
          <Sentence said={said} />
          <p className="mt-1.5 text-xs text-muted-foreground">
            {s.read(role?.role === 'koda' ? null : (role?.tenant_code ?? ''), timeOf(preview.dataUpdatedAt))} · {s.frozen()}
            {found.leftOut > 0 ? <><br />{s.leftOut(found.leftOut)}</> : null}
          </p>
        </div>
        <dl className="content-start">
          {plan.map((fact) => (
            <div key={fact.name} className="flex justify-between gap-3 border-t py-2.5 first:border-t-0">
              <dt className="text-muted-foreground">{fact.name}</dt>
              <dd className="text-right font-medium">{fact.value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {found.count > 0 ? <Why preview={found} includeProblems={includeProblems} onIncludeProblems={onIncludeProblems} /> : null}
      {found.sample.length > 0 ? (
        <>
          <div className="mt-3.5 mb-2 flex items-center gap-2">
            <h3>{s.sample(found.sample.length)}</h3>
            <Button variant="ghost" className="ml-auto" disabled={preview.isFetching} onClick={() => void preview.refetch()}>
              <Icon name="refresh" />
              {s.newSample()}
            </Button>
          </div>
          <div className="-mx-5 overflow-x-auto border-t [--row:28px]">
            <DataTable label={s.sampleTable()} columns={sampleColumns(type)} rows={found.sample} rowName={(row) => row.number} surface="popover" minWidth={700} />
          </div>
        </>
      ) : null}
    </>
  )
}
