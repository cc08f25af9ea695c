// The table of cases with what may stand in its place: skeletons, a failed load, and three kinds of empty.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ApiError, sentence } from '@/api/errors'
import type { CaseColumn, CaseFilters, CaseRow, Collection } from '@/api/types'
import { DataTable, type Sort } from '@/components/data-table/data-table'
import { Pager } from '@/components/data-table/pager'
import { useRows } from '@/components/data-table/use-rows'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/chip'
import { Empty, LoadFailed, Sweep, useLate } from '@/components/ui/feedback'
import { FootBar } from '@/components/ui/sheet'
import { common } from '@/lib/common'
import { timeOf } from '@/lib/format'
import { tableColumns, tableWidth } from './columns'
import { type CaseSearch, emptyKind, filterCount, filtersBesideStatus } from './filters'
import { sortOf } from './first-page'
import { CASES_PER_PAGE, countQuery, statusCountsQuery } from './queries'
import { t } from './texts'

function nextSort(search: CaseSearch, sort: Sort, field: string): LinkProps {
  const dir = sort.field === field && sort.direction === 'desc' ? ('asc' as const) : undefined
  return { to: '/case_list', search: { ...search, page: undefined, sort: field === 'number' ? undefined : field, dir } }
}

export function CaseTable({ columns, chosen, rows, filters, search, forbidden, mayImport, rowHeight, onReset }: {
  columns: UseQueryResult<CaseColumn[]>
  chosen: ReadonlySet<string>
  rows: UseQueryResult<Collection<CaseRow>>
  filters: CaseFilters
  search: CaseSearch
  forbidden: boolean
  mayImport: boolean
  rowHeight: number
  onReset: () => void
}) {
  const count = useQuery(countQuery(filters)).data?.count
  const sort = sortOf(search)
  const page = search.page ?? 1
  const filtered = filterCount(search)
  const members = rows.data?.member ?? []
  const shown = useMemo(() => tableColumns(columns.data ?? [], chosen, rows.data?.member ?? []), [columns.data, chosen, rows.data])
  const { here, setHere } = useRows(members, {})
  const waiting = columns.isPending || rows.isPending
  const late = useLate(waiting)
  const failed = columns.error ?? (forbidden ? null : rows.error)
  const stale = useLate(rows.isFetching && rows.isPlaceholderData)
  const empty = rows.data !== undefined && !rows.isPlaceholderData && members.length === 0
  const byStatus = useQuery(statusCountsQuery(filtersBesideStatus(search))).data?.byStatus
  const kind = empty ? emptyKind(search, byStatus) : null

  return (
    <>
      {failed ? (
        <div className="p-3">
          <LoadFailed title={sentence(failed, columns.error ? t.columnsFailed() : t.loadFailed())} requestId={failed instanceof ApiError ? failed.requestId : null} onRetry={() => void (columns.error ? columns.refetch() : rows.refetch())}>
            {rows.data ? common.shownFrom(timeOf(rows.dataUpdatedAt)) : null}
          </LoadFailed>
        </div>
      ) : null}
      <div className="relative flex min-h-0 flex-1 flex-col max-sm:min-h-[500px]">
        <Sweep on={stale} />
        <div className="relative min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={t.table()}>
          {forbidden ? (
            <Empty icon="lock" title={t.noRight()}>{t.noRightHint()}</Empty>
          ) : (
            <>
              {shown.length > 0 && !empty ? (
                <DataTable
                  label={t.table()}
                  columns={shown}
                  rows={members}
                  rowName={(row) => row.number}
                  sort={sort}
                  sortLink={(field) => nextSort(search, sort, field)}
                  here={here}
                  onHere={setHere}
                  bones={late ? CASES_PER_PAGE : 0}
                  stale={stale}
                  minWidth={tableWidth(shown)}
                />
              ) : null}
              {kind === 'nothing' ? (
                <Empty icon="folder" title={t.nothing()} act={mayImport ? <Link to="/case_list" search={{ dialog: 'import' }} className="link">{t.import()}</Link> : undefined}>{t.nothingHint()}</Empty>
              ) : null}
              {kind === 'past' ? (
                <Empty icon="folder" title={t.pastEnd()} act={<Link to="/case_list" search={{ ...search, page: undefined }} className="link">{t.toFirstPage()}</Link>}>{t.pastEndHint()}</Empty>
              ) : null}
              {kind === 'noMatch' ? (
                <Empty
                  icon="filter"
                  title={t.noMatch()}
                  act={filtered > 0 ? <Button onClick={onReset}>{t.reset()}</Button> : <Link to="/case_list" search={{ status: 'all' }} className="link">{t.allStatuses()}</Link>}
                >
                  {filtered > 0 ? t.noMatchHint(filtered) : t.noMatchTab()}
                </Empty>
              ) : null}
            </>
          )}
        </div>
      </div>
      <FootBar className="max-sm:overflow-x-auto">
        {members.length > 0 ? (
          <Pager page={page} perPage={CASES_PER_PAGE} total={count ?? rows.data?.totalItems} shown={members.length} link={(next) => ({ to: '/case_list', search: { ...search, page: next > 1 ? next : undefined } })} />
        ) : null}
        <span className="ml-auto whitespace-nowrap max-md:hidden">{t.perPage()}</span>
        <span className="whitespace-nowrap max-md:hidden">{t.rowHeight(rowHeight)}</span>
        <span className="flex items-center gap-1 whitespace-nowrap max-md:hidden"><Kbd>j</Kbd><Kbd>k</Kbd> {common.keysRow()}</span>
      </FootBar>
    </>
  )
}
