// The tasks of an action with their tabs, search, ticks, pager and CSV.
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, useEffect, useRef, useState } from 'react'
import { ApiError, report, sentence } from '@/api/errors'
import type { BulkAction, Task } from '@/api/types'
import { Pager } from '@/components/data-table/pager'
import { useRows } from '@/components/data-table/use-rows'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/chip'
import { Empty, LoadFailed, Sweep, useLate } from '@/components/ui/feedback'
import { Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { Piece } from '@/components/ui/piece'
import { Bar, FootBar, Sheet } from '@/components/ui/sheet'
import { common } from '@/lib/common'
import { timeOf } from '@/lib/format'
import { usePhone } from '@/lib/use-phone'
import { useTyped } from '@/lib/use-typed'
import { cn } from '@/lib/utils'
import { useMarkDone, useRetryTasks } from './acts'
import { ErrorGroupList } from './error-group-list'
import { TASKS_PER_PAGE } from './queries'
import { saveResults } from './results'
import { type TaskSearch, tabCount, tabFilter } from './task-search'
import { TaskCards, taskRefusal, TaskTable } from './task-table'
import { TaskTabs } from './task-tabs'
import { t } from './texts'
import { TickBar } from './tick-bar'
import { useSelectCases } from './use-select-cases'
import { useTasks } from './use-tasks'

const DoneDialog = lazy(() => import('./act-dialogs').then((module) => ({ default: module.DoneDialog })))

const FROM = '/_app/bulk_actions/$id'

function CsvButton({ action, search }: { action: BulkAction; search: TaskSearch }) {
  const [percent, setPercent] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  async function download() {
    const control = new AbortController()
    running.current = control
    setPercent(0)
    try {
      await saveResults(action, { ...tabFilter(search.tab), ...(search.q ? { output: search.q } : {}) }, tabCount(search.tab, action.counts), setPercent, control.signal)
    } catch (error) {
      if (!control.signal.aborted) report(error instanceof ApiError ? error : null, t.csvError())
    } finally {
      setPercent(null)
    }
  }
  return (
    <Button disabled={percent !== null} title={t.csv()} onClick={() => void download()}>
      <Icon name={percent === null ? 'download' : 'run'} />
      <span className={cn(percent === null && 'max-sm:sr-only')}>{percent === null ? t.csv() : t.csvPercent(percent)}</span>
    </Button>
  )
}

export function TaskList({ action, actedAt, onAct }: { action: BulkAction; actedAt: number; onAct: () => void }) {
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: '/bulk_actions/$id' })
  const page = search.page ?? 1
  const tasks = useTasks({ id: action.id, page, ...tabFilter(search.tab), ...(search.q ? { output: search.q } : {}) }, actedAt)
  const [ticked, setTicked] = useState<ReadonlyMap<number, Task>>(new Map())
  const [marking, setMarking] = useState<number[] | null>(null)
  const retry = useRetryTasks()
  const done = useMarkDone()
  const selection = useSelectCases()
  const phone = usePhone()
  const field = useRef<HTMLInputElement>(null)
  const late = useLate(tasks.query.isPending)
  const stale = useLate(tasks.stale)

  const go = (change: Partial<TaskSearch>) => void navigate({ search: { ...search, ...change } })
  const typed = useTyped(search.q ?? '', (q) => go({ q: q.length > 1 ? q : undefined, page: undefined, task: undefined, group: undefined }))
  const toggle = (task: Task) => {
    const next = new Map(ticked)
    if (!next.delete(task.id)) next.set(task.id, task)
    setTicked(next)
  }
  const open = (task: Task) => void navigate({ search: { ...search, task: search.task === task.id ? undefined : task.id }, replace: true, resetScroll: false })
  const retryOne = (task: Task) => {
    if (taskRefusal(task, 'retry') !== null) return
    onAct()
    retry.mutate([task.id])
  }
  const { here, setHere } = useRows(tasks.rows, { onTick: toggle, onOpen: open, onRetry: retryOne, onSearch: () => field.current?.focus() })
  const all = tasks.rows.length > 0 && tasks.rows.every((task) => ticked.has(task.id))
  const togglePage = () => {
    const next = new Map(ticked)
    for (const task of tasks.rows) {
      if (all) next.delete(task.id)
      else next.set(task.id, task)
    }
    setTicked(next)
  }
  // Ticked rows are judged by their newest state.
  const pickedTasks = [...ticked.values()].map((task) => tasks.rows.find((row) => row.id === task.id) ?? task)
  const acts = { onRetry: retryOne, onDone: (task: Task) => setMarking([task.id]), onOpen: open, onSelect: (task: Task) => selection.select([task]), selectReason: selection.reason, opened: search.task ?? null }
  const total = search.q ? tasks.query.data?.totalItems : Math.max(tabCount(search.tab, action.counts), tasks.query.data?.totalItems ?? 0)
  const empty = tasks.query.data !== undefined && !tasks.query.isPlaceholderData && tasks.rows.length === 0

  return (
    <>
      <TaskTabs action={action} search={search} />
      <Sheet fill className="min-h-[590px] max-sm:min-h-0">
        <Bar className="flex-wrap">
          <Input {...typed.field} ref={field} type="search" aria-label={t.search()} placeholder={t.search()} maxLength={200} boxClassName="w-60 max-sm:flex-1" before={<Icon name="search" className="size-3.5" />} />
          {ticked.size > 0 ? (
            <TickBar
              tasks={pickedTasks}
              all={all}
              onTogglePage={togglePage}
              onClear={() => setTicked(new Map())}
              onSelect={() => selection.select(pickedTasks)}
              selectReason={selection.reason}
              onRetry={() => {
                onAct()
                retry.mutate(pickedTasks.filter((task) => taskRefusal(task, 'retry') === null).map((task) => task.id), { onSuccess: () => setTicked(new Map()) })
              }}
              onDone={() => setMarking(pickedTasks.filter((task) => taskRefusal(task, 'success') === null).map((task) => task.id))}
            />
          ) : null}
          <span className="ml-auto" />
          {search.q && tasks.query.data?.totalItems !== undefined ? <span role="status" className="text-xs text-muted-foreground">{common.matches(tasks.query.data.totalItems)}</span> : null}
          <Button variant="ghost" aria-pressed={search.group === true} onClick={() => go({ group: search.group ? undefined : true, task: undefined, page: undefined })}>
            <Icon name="list" />
            <span className="max-sm:sr-only">{t.group()}</span>
          </Button>
          <CsvButton action={action} search={search} />
        </Bar>
        {tasks.query.isError ? (
          <div className="p-3">
            <LoadFailed title={sentence(tasks.query.error, t.tasksFailed())} requestId={tasks.query.error instanceof ApiError ? tasks.query.error.requestId : null} onRetry={() => void tasks.query.refetch()}>
              {tasks.query.data ? common.shownFrom(timeOf(tasks.query.dataUpdatedAt)) : null}
            </LoadFailed>
          </div>
        ) : null}
        <div className="relative flex min-h-0 flex-1 flex-col">
          <Sweep on={stale} />
          {tasks.waiting + tasks.gone.length > 0 && !search.group ? (
            <Button variant="primary" className="absolute top-[3px] left-1/2 z-[4] h-[26px] -translate-x-1/2 rounded-full text-xs shadow-pop" onClick={tasks.showNew}>
              <Icon name="up" />
              {tasks.waiting > 0 ? t.newRows(tasks.waiting) : t.changedRows()}
            </Button>
          ) : null}
          <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={t.tasks()}>
            {search.group ? <ErrorGroupList action={action} /> : empty ? (
              action.counts.total === 0 ? <Empty icon="layers" title={t.noTasks()}>{action.status === 1 ? t.noTasksHint() : t.noCasesAdded()}</Empty> : (
                <Empty icon="filter" title={t.noMatch()} act={<Link to="/bulk_actions/$id" params={{ id: String(action.id) }} search={{}} className="link">{t.clearFilters()}</Link>}>{t.noMatchHint()}</Empty>
              )
            ) : phone ? <TaskCards tasks={tasks.rows} gone={tasks.gone} acts={acts} /> : (
              <TaskTable
                tasks={tasks.rows}
                gone={tasks.gone}
                acts={acts}
                ticked={new Set(ticked.keys())}
                onToggle={(id) => {
                  const task = tasks.rows.find((row) => row.id === id)
                  if (task) toggle(task)
                }}
                onTogglePage={togglePage}
                here={here}
                onHere={setHere}
                bones={late ? TASKS_PER_PAGE : 0}
                stale={stale}
              />
            )}
          </div>
        </div>
        <FootBar className="max-sm:overflow-x-auto">
          {search.group ? <span>{t.groupHint()}</span> : tasks.rows.length > 0 ? (
            <Pager page={page} perPage={TASKS_PER_PAGE} total={total} shown={tasks.rows.length} link={(next) => ({ to: '/bulk_actions/$id', params: { id: String(action.id) }, search: { ...search, task: undefined, page: next > 1 ? next : undefined } })} />
          ) : null}
          <span className="ml-auto flex items-center gap-1 whitespace-nowrap max-md:hidden">
            <Kbd>j</Kbd><Kbd>k</Kbd> {common.keysRow()} · <Kbd>x</Kbd> {t.keysPick()} · <Kbd>r</Kbd> {t.keysRetry()} · <Kbd>Enter</Kbd> {t.keysOpen()}
          </span>
        </FootBar>
      </Sheet>
      {marking ? (
        <Piece onLost={() => setMarking(null)}>
          <DoneDialog
            count={marking.length}
            busy={done.isPending}
            onClose={() => setMarking(null)}
            onDone={(reason) => {
              onAct()
              done.mutate({ ids: marking, reason }, { onSuccess: () => setTicked(new Map()), onSettled: () => setMarking(null) })
            }}
          />
        </Piece>
      ) : null}
    </>
  )
}
