// The table of jobs with what may stand in its place: skeletons, a failed load, and three kinds of empty.
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ApiError, sentence } from '@/api/errors'
import type { Job, JobCounts } from '@/api/operations'
import { DataTable } from '@/components/data-table/data-table'
import { KeysetPager } from '@/components/data-table/keyset-pager'
import { NewRows } from '@/components/data-table/new-rows'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/chip'
import { Empty, LoadFailed, Sweep, useLate } from '@/components/ui/feedback'
import { FootBar } from '@/components/ui/sheet'
import { common } from '@/lib/common'
import { num, timeOf } from '@/lib/format'
import { type JobColumn, tableColumns, tableWidth } from './columns'
import { filterCount, filterOf, type JobSearch } from './filters'
import { JOBS_PER_PAGE } from './queries'
import { jobTone } from './status'
import { t } from './texts'
import type { useJobs } from './use-jobs'

function Nothing({ search, counts, onReset }: { search: JobSearch; counts: JobCounts | undefined; onReset: () => void }) {
  const filtered = filterCount(search)
  if (search.after) return <Empty icon="filter" title={t.pastEnd()} act={<Link to="/jobs" search={filterOf(search)} className="link">{t.toNewest()}</Link>}>{t.pastEndHint()}</Empty>
  if (filtered === 0 && counts?.all.value === 0) return <Empty icon="layers" title={t.nothing()} act={<Link to="/case_list" className="link">{t.openCases()}</Link>}>{t.nothingHint()}</Empty>
  if (filtered > 0) return <Empty icon="filter" title={t.noMatch()} act={<Button onClick={onReset}>{t.reset()}</Button>}>{t.noMatchHint(filtered)}</Empty>
  return <Empty icon="filter" title={t.noMatch()} act={<Link to="/jobs" search={{}} className="link">{t.allStates()}</Link>}>{t.noMatchTab()}</Empty>
}

export function JobTable({ list, search, counts, columns, rowHeight, ticks, here, onHere, onReset }: {
  list: ReturnType<typeof useJobs>
  search: JobSearch
  counts: JobCounts | undefined
  columns: ReadonlySet<JobColumn>
  rowHeight: number
  ticks: { ids: ReadonlySet<number>; toggle: (job: Job) => void; togglePage: () => void }
  here: number | null
  onHere: (index: number) => void
  onReset: () => void
}) {
  const { query, rows } = list
  const shown = useMemo(() => tableColumns(columns), [columns])
  const late = useLate(query.isPending)
  const stale = useLate(list.stale)
  const forbidden = query.error instanceof ApiError && query.error.status === 403
  const empty = query.data !== undefined && !query.isPlaceholderData && rows.length === 0
  return (
    <>
      {query.isError && !forbidden ? (
        <div className="p-3">
          <LoadFailed title={sentence(query.error, t.loadFailed())} requestId={query.error instanceof ApiError ? query.error.requestId : null} onRetry={() => void query.refetch()}>
            {query.data ? common.shownFrom(timeOf(query.dataUpdatedAt)) : null}
          </LoadFailed>
        </div>
      ) : null}
      <div className="relative flex min-h-0 flex-1 flex-col max-sm:min-h-[400px]">
        <Sweep on={stale} />
        <NewRows waiting={list.waiting} gone={list.gone.length} onShow={list.showNew} />
        <div className="relative min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={t.table()}>
          {forbidden ? <Empty icon="lock" title={t.noRight()}>{t.noRightHint()}</Empty> : null}
          {empty && !forbidden ? <Nothing search={search} counts={counts} onReset={onReset} /> : null}
          {!empty && !forbidden ? (
            <DataTable
              label={t.table()}
              columns={shown}
              rows={rows}
              rowName={(job) => num(job.id)}
              ticks={{
                ticked: ticks.ids,
                toggle: (id) => {
                  const job = rows.find((row) => row.id === id)
                  if (job) ticks.toggle(job)
                },
                togglePage: ticks.togglePage,
                allLabel: t.pickPage(),
                label: t.pick(),
              }}
              here={here}
              onHere={onHere}
              tone={jobTone}
              dim={(job) => list.gone.includes(job.id)}
              bones={late ? JOBS_PER_PAGE : 0}
              stale={stale}
              minWidth={tableWidth(shown)}
            />
          ) : null}
        </div>
      </div>
      <FootBar className="max-sm:overflow-x-auto">
        {rows.length > 0 ? (
          <KeysetPager
            place={JSON.stringify(['jobs', filterOf(search)])}
            after={search.after}
            next={query.isPlaceholderData ? undefined : query.data?.next}
            shown={rows.length}
            link={(after) => ({ to: '/jobs', search: { ...search, after } })}
          />
        ) : null}
        <span className="ml-auto whitespace-nowrap max-md:hidden">{t.perPage(JOBS_PER_PAGE)}</span>
        <span className="whitespace-nowrap max-md:hidden">{t.rowHeight(rowHeight)}</span>
        <span className="flex items-center gap-1 whitespace-nowrap max-lg:hidden">
          <Kbd>j</Kbd><Kbd>k</Kbd> {common.keysRow()} · <Kbd>x</Kbd> {t.keysPick()} · <Kbd>r</Kbd> {t.keysRetry()} · <Kbd>Enter</Kbd> {t.keysOpen()}
        </span>
      </FootBar>
    </>
  )
}
