// The list of jobs: states as tabs, the filter as text and as chips, the table, and acts on one, some or all of them.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, useMemo, useRef, useState } from 'react'
import type { Job, JobFilter, OperatorKind } from '@/api/operations'
import { ColumnChooser } from '@/components/data-table/column-chooser'
import { RowHeight } from '@/components/data-table/row-height'
import { useRows } from '@/components/data-table/use-rows'
import { Button } from '@/components/ui/button'
import { ChipBar } from '@/components/ui/chip-bar'
import { LineFailed, Spinner } from '@/components/ui/feedback'
import { Fresh } from '@/components/ui/fresh'
import { Icon } from '@/components/ui/icons'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Piece } from '@/components/ui/piece'
import { Bar, PageHead, Sheet } from '@/components/ui/sheet'
import { useSaveUser, useUser } from '@/features/auth/queries'
import { ViewsMenu } from '@/features/saved-views/views-menu'
import { refusal } from '@/lib/allowed'
import { countText } from '@/lib/counts'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { toasts } from '@/lib/toasts'
import { BulkBar, whyNone } from './bulk-bar'
import { chosenColumns, COLUMNS } from './columns'
import { FilterBox } from './filter-box'
import { currentTab, filterOf, type JobSearch, withFilter, withoutFilters } from './filters'
import { JobTable } from './job-table'
import { countOf, JobTabs } from './job-tabs'
import { useJobsAct } from './queries'
import { acknowledges } from './status'
import { t } from './texts'
import { useJobs } from './use-jobs'
import { chipsOf } from './words'

const OperatorActionDialog = lazy(() => import('@/features/operator-actions/start-dialog').then((module) => ({ default: module.OperatorActionDialog })))
const CancelDialog = lazy(() => import('./cancel-dialog'))

function useTicks(place: string, rows: Job[]) {
  const [state, setState] = useState<{ place: string; ticked: ReadonlyMap<number, Job>; whole: boolean }>({ place, ticked: new Map(), whole: false })
  // Another filter is another set: what was ticked in the old one is not carried along.
  const now = state.place === place ? state : { place, ticked: new Map<number, Job>(), whole: false }
  const set = (ticked: ReadonlyMap<number, Job>, whole = false) => setState({ place, ticked, whole })
  const all = rows.length > 0 && rows.every((row) => now.ticked.has(row.id))
  return {
    // Ticked rows are judged by their newest state.
    jobs: [...now.ticked.values()].map((job) => rows.find((row) => row.id === job.id) ?? job),
    ids: new Set(now.ticked.keys()),
    whole: now.whole,
    toggle: (job: Job) => {
      const next = new Map(now.ticked)
      if (!next.delete(job.id)) next.set(job.id, job)
      set(next)
    },
    togglePage: () => {
      const next = new Map(now.ticked)
      for (const row of rows) {
        if (all) next.delete(row.id)
        else next.set(row.id, row)
      }
      set(next)
    },
    selectAll: () => set(now.ticked, true),
    clear: () => set(new Map()),
  }
}

function useColumns() {
  const user = useUser()
  const save = useSaveUser()
  const saved = user?.job_table_column_fields
  const chosen = useMemo(() => chosenColumns(saved), [saved])
  return {
    chosen,
    rowHeight: user?.row_height ?? 32,
    chooser: (
      <ColumnChooser
        columns={COLUMNS.map((field) => ({ field, title: t.columns[field](), locked: field === 'id' }))}
        chosen={chosen}
        onToggle={(field) => {
          const next = new Set<string>(chosen)
          if (!next.delete(field)) next.add(field)
          save.mutate({ job_table_column_fields: COLUMNS.filter((one) => next.has(one)) })
        }}
        onDefault={() => {
          save.mutate({ job_table_column_fields: null })
          if (saved) toasts.undoable(t.columnsRestored(), () => save.mutate({ job_table_column_fields: saved }))
        }}
      >
        <RowHeight value={user?.row_height ?? 32} onChange={(row_height) => save.mutate({ row_height })} />
      </ColumnChooser>
    ),
  }
}

export function JobsPage() {
  const search = useSearch({ from: '/_app/jobs/' })
  const navigate = useNavigate({ from: '/jobs/' })
  const [every, setEvery] = useSteadyRefresh()
  const filter = useMemo(() => filterOf(search), [search])
  const list = useJobs(filter, search.after, every)
  const ticks = useTicks(JSON.stringify(filter), list.rows)
  const columns = useColumns()
  const [dialog, setDialog] = useState<OperatorKind | null>(null)
  const [cancelling, setCancelling] = useState<Job[] | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const act = useJobsAct()
  const count = countOf(list.counts.data, filter.state)
  const chips = chipsOf(filter).filter((chip) => chip.key !== 'state' || currentTab(search) === null)

  const go = (next: JobSearch) => void navigate({ search: next })
  const reset = () => {
    go(withoutFilters(search))
    toasts.undoable(t.resetDone(), () => void navigate({ to: '/jobs', search }))
  }
  const retry = (jobs: Job[]) => {
    const ids = jobs.filter((job) => refusal(job, 'retry') === null).map((job) => job.id)
    if (ids.length === 0) return
    list.touch()
    act.mutate({ ids, act: 'retry' }, { onSuccess: ticks.clear })
  }
  const { here, setHere } = useRows(list.rows, {
    onTick: ticks.toggle,
    onOpen: (job) => void navigate({ to: '/jobs/$id', params: { id: String(job.id) } }),
    onRetry: (job) => {
      const why = refusal(job, 'retry')
      if (why === null) retry([job])
      else toasts.error(why)
    },
    onSearch: () => field.current?.focus(),
  })

  return (
    <>
      <PageHead
        title={t.title()}
        meta={
          <span className="text-muted-foreground">
            {list.counts.isPending ? <Spinner label={t.title()} /> : null}
            {count ? <span role="status">{t.matches(countText(count), count.value)}</span> : null}
            {list.counts.isError && !count ? <LineFailed title={t.countsFailed()} error={list.counts.error} onRetry={() => void list.counts.refetch()} /> : null}
          </span>
        }
      >
        <Fresh at={list.query.dataUpdatedAt} every={every} choices={STEADY} onEvery={setEvery} busy={list.query.isFetching} onRefresh={list.refresh} />
        <ViewsMenu page="jobs" search={filter} />
      </PageHead>
      <JobTabs search={search} counts={list.counts.data} />
      <Sheet fill className="min-h-[560px] max-sm:min-h-0">
        <Bar className="flex-wrap items-start">
          <FilterBox filter={filter} field={field} onChange={(next: JobFilter) => go(next)} />
          {columns.chooser}
          <Menu trigger={<Button>{t.actsOnAll()}<Icon name="down" /></Button>}>
            <MenuItem icon={<Icon name="retry" />} disabled={count?.value === 0} onClick={() => setDialog('retry')}>{t.retryAll(count ? countText(count) : '')}</MenuItem>
            <MenuItem icon={<Icon name="stop" />} disabled={count?.value === 0} onClick={() => setDialog('cancel')}>{t.cancelAll(count ? countText(count) : '')}</MenuItem>
          </Menu>
        </Bar>
        <ChipBar chips={chips} onRemove={(key) => go(withFilter(search, { [key]: undefined }))} onReset={reset} />
        <BulkBar
          jobs={ticks.jobs}
          onPage={list.rows.length}
          whole={ticks.whole}
          count={count}
          busy={act.isPending}
          onWhole={ticks.selectAll}
          onAct={(what) => (what === 'retry' ? retry(ticks.jobs) : setCancelling(ticks.jobs.filter((job) => refusal(job, 'cancel') === null)))}
          onActAll={setDialog}
          onClear={ticks.clear}
        />
        <JobTable list={list} search={search} counts={list.counts.data} columns={columns.chosen} rowHeight={columns.rowHeight} ticks={ticks} here={here} onHere={setHere} onReset={reset} />
      </Sheet>
      {dialog ? <Piece onLost={() => setDialog(null)}><OperatorActionDialog kind={dialog} filter={filter} onClose={() => setDialog(null)} /></Piece> : null}
      {cancelling && whyNone(cancelling, 'cancel') === null ? (
        <Piece onLost={() => setCancelling(null)}>
          <CancelDialog
            count={cancelling.length}
            acknowledges={cancelling.every(acknowledges)}
            busy={act.isPending}
            onClose={() => setCancelling(null)}
            onCancel={(reason) => {
              list.touch()
              act.mutate({ ids: cancelling.map((job) => job.id), act: 'cancel', ...(reason ? { reason } : {}) }, { onSuccess: ticks.clear, onSettled: () => setCancelling(null) })
            }}
          />
        </Piece>
      ) : null}
    </>
  )
}
