// The course of a queue over a range: as charts, or as a table of the same figures.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { ApiError, sentence } from '@/api/errors'
import type { QueueDetail, Series } from '@/api/operations'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Button, buttonVariants } from '@/components/ui/button'
import { Bone, Empty, LoadFailed, Sweep, useLate } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import { Piece } from '@/components/ui/piece'
import { Select } from '@/components/ui/select'
import { Bar, Sheet } from '@/components/ui/sheet'
import { kindWord } from '@/features/jobs/status'
import { common } from '@/lib/common'
import { dateTime, num, timeOf } from '@/lib/format'
import { lastingWord, spanWord } from '@/lib/span'
import { cn } from '@/lib/utils'
import { t } from './chart-texts'
import { seriesQuery } from './queries'
import { DEFAULT_RANGE, type QueueSearch, RANGES, spanMs, withQueueSearch } from './search'
import { totalsOf } from './series'

const Chart = lazy(() => import('./chart'))

type Row = Series['points'][number] & { id: number }

function figuresTable(series: Series) {
  const ms = (key: 'waitP50Ms' | 'waitP95Ms' | 'runP50Ms' | 'runP95Ms', title: string): Column<Row> => ({ key, title, width: 104, numeric: true, cell: (row) => (row[key] === null ? '–' : lastingWord(row[key])) })
  const count = (key: 'ok' | 'warning' | 'failed' | 'cancelled', title: string): Column<Row> => ({ key, title: title.charAt(0).toUpperCase() + title.slice(1), width: 116, numeric: true, cell: (row) => num(row[key]) })
  const columns: Column<Row>[] = [
    { key: 'at', title: t.at(), width: 140, pinned: true, cell: (row) => dateTime(row.at) },
    count('ok', t.ok()), count('warning', t.warning()), count('failed', t.failed()), count('cancelled', t.cancelled()),
    { key: 'waiting', title: t.waiting(), width: 84, numeric: true, cell: (row) => (row.waiting === null ? '–' : num(row.waiting)) },
    ms('waitP50Ms', t.waitP50()), ms('waitP95Ms', t.waitP95()), ms('runP50Ms', t.runP50()), ms('runP95Ms', t.runP95()),
  ]
  return (
    <div className="max-h-[420px] overflow-auto" tabIndex={0} role="region" aria-label={t.title()}>
      <DataTable label={t.title()} columns={columns} rows={series.points.map((point, index) => ({ ...point, id: index })).toReversed()} rowName={(row) => dateTime(row.at)} minWidth={1100} />
    </div>
  )
}

function Ranges({ name, search }: { name: string; search: QueueSearch }) {
  const at = search.range ?? DEFAULT_RANGE
  return (
    <nav aria-label={t.range()} className="inline-flex overflow-hidden rounded-md border border-border-strong">
      {RANGES.map((range) => (
        <Link
          key={range}
          to="/queues/$name"
          params={{ name }}
          search={withQueueSearch(search, { range })}
          replace
          resetScroll={false}
          activeOptions={{ exact: true }}
          aria-current={range === at ? 'page' : undefined}
          className={cn('flex h-7 items-center border-l px-2.5 whitespace-nowrap -outline-offset-2 first:border-l-0 max-sm:h-10', range === at ? 'bg-foreground font-medium text-card' : 'text-muted-foreground hover:bg-accent hover:text-foreground')}
        >
          {t.ranges[range]()}
        </Link>
      ))}
    </nav>
  )
}

function Figures({ series, table, clearKind }: { series: Series; table: boolean; clearKind: React.ReactNode }) {
  const [lost, setLost] = useState(false)
  const totals = totalsOf(series)
  const empty = series.points.every((point) => point.ok + point.warning + point.failed + point.cancelled + (point.waiting ?? 0) === 0)
  if (empty) return <Empty icon="inbox" title={t.none()} act={clearKind}>{t.noneHint()}</Empty>
  return (
    <>
      <p className="num px-4 pt-2.5 text-xs text-muted-foreground">{t.said(totals.done, totals.warning, totals.failed, totals.mostWaiting)} {t.step(spanWord(series.stepSeconds * 1000))}</p>
      {lost && !table ? <p role="alert" className="px-4 pt-2">{t.pieceLost()}</p> : null}
      {table || lost ? <div className="mt-2 border-t">{figuresTable(series)}</div> : (
        <div className="min-h-[420px] p-4">
          <Piece onLost={() => setLost(true)}><Suspense fallback={<div className="h-[420px]" />}><Chart series={series} /></Suspense></Piece>
        </div>
      )}
    </>
  )
}

export function Course({ queue, search, onSearch }: { queue: QueueDetail; search: QueueSearch; onSearch: (change: Partial<QueueSearch>) => void }) {
  const found = useQuery({ ...seriesQuery(queue.name, spanMs[search.range ?? DEFAULT_RANGE], search.kind), refetchOnWindowFocus: false })
  const late = useLate(found.isPending)
  const stale = useLate(found.isPlaceholderData)
  const table = search.table === true
  const kinds = [...new Set([...queue.kinds.map((one) => one.kind), ...(search.kind ? [search.kind] : [])])]
  return (
    <Sheet className="relative flex-none overflow-hidden" aria-label={t.title()}>
      <Sweep on={stale} />
      <Bar className="flex-wrap gap-x-4">
        <h2>{t.title()}</h2>
        <Ranges name={queue.name} search={search} />
        {kinds.length > 1 || search.kind ? (
          <label className="flex items-center gap-2 text-xs text-muted-foreground">
            {t.kind()}
            <Select className="max-w-56 text-foreground" value={search.kind ?? ''} options={[{ value: '', word: t.allKinds() }, ...kinds.map((kind) => ({ value: kind, word: kindWord(kind) }))]} onChange={(event) => onSearch({ kind: event.target.value || undefined })} />
          </label>
        ) : null}
        <Button className="ml-auto" aria-pressed={table} onClick={() => onSearch({ table: table ? undefined : true })}><Icon name="table" />{table ? t.asChart() : t.asTable()}</Button>
      </Bar>
      {found.isError ? (
        <div className="p-3">
          <LoadFailed title={sentence(found.error, t.loadFailed())} requestId={found.error instanceof ApiError ? found.error.requestId : null} onRetry={() => void found.refetch()}>
            {found.data ? common.shownFrom(timeOf(found.data.at)) : null}
          </LoadFailed>
        </div>
      ) : null}
      {found.isPending ? <div className="grid min-h-[456px] content-start gap-6 p-4">{late ? ['w-1/3', 'w-full', 'w-2/3'].map((width) => <Bone key={width} className={width} />) : null}</div> : null}
      {found.data ? (
        <Figures
          series={found.data.body}
          table={table}
          clearKind={search.kind ? <Link to="/queues/$name" params={{ name: queue.name }} search={withQueueSearch(search, { kind: undefined })} className={buttonVariants({})}>{t.clearKind()}</Link> : undefined}
        />
      ) : null}
    </Sheet>
  )
}
