// The tasks of an action: a table on a desk, cards on a phone; both with retry and mark done.
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { Task } from '@/api/types'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Button } from '@/components/ui/button'
import { CaseNumber } from '@/components/ui/figures'
import { Icon, type IconName } from '@/components/ui/icons'
import { Menu, MenuItem } from '@/components/ui/menu'
import { refusal } from '@/lib/allowed'
import { duration, num, whenShort } from '@/lib/format'
import { useNow } from '@/lib/use-now'
import { cn } from '@/lib/utils'
import { outputOf } from './results'
import { StatusBadge, taskLook } from './status'
import { t } from './texts'

export type TaskActs = {
  onRetry: (task: Task) => void
  onDone: (task: Task) => void
  onOpen: (task: Task) => void
  onSelect: (task: Task) => void
  selectReason: string | null
  opened: number | null
}

/** Why a task can't be retried or marked done, if it can't. */
export function taskRefusal(task: Task, act: 'retry' | 'success'): string | null {
  if (task.status !== 3 && task.status !== 5) return t.notFailed()
  return refusal(task, act)
}

export function taskTone(task: Task): 'err' | 'warn' | undefined {
  if (task.status === 3) return 'err'
  return taskLook(task).tone === 'warn' ? 'warn' : undefined
}

function Output({ task, opened, onOpen }: { task: Task; opened: boolean; onOpen: () => void }) {
  const output = outputOf(task)
  const lines = output ? output.split('\n') : []
  if (lines.length === 0) return <span className="text-muted-foreground">–</span>
  return (
    <span className="flex items-center gap-1">
      <span className={cn('truncate', task.status === 2 && 'text-muted-foreground', opened && 'font-medium')} title={lines[0]}>{lines[0]}</span>
      {lines.length > 1 || opened || output.length > 60 ? (
        <button type="button" aria-expanded={opened} aria-label={opened ? t.hide() : t.show()} onClick={onOpen} className="inline-flex min-h-6 min-w-6 flex-none items-center justify-center gap-0.5 rounded-sm px-1 text-xs text-muted-foreground hover:bg-accent hover:text-foreground">
          {opened ? t.hide() : lines.length > 1 ? t.lines(lines.length) : null}
          <Icon name={opened ? 'up' : 'down'} className="size-3" />
        </button>
      ) : null}
    </span>
  )
}

function Mini({ act, task, onClick }: { act: 'retry' | 'success'; task: Task; onClick: () => void }) {
  const reason = taskRefusal(task, act)
  const word = act === 'retry' ? t.retry() : t.done()
  return (
    <Button variant="ghost" size="mini" className={cn(reason !== null && 'opacity-40')} reason={reason} aria-label={`${word}: ${task.caseNumber ?? task.id}`} title={word} onClick={onClick}>
      <Icon name={act === 'retry' ? 'retry' : 'check'} className="size-3.5" />
    </Button>
  )
}

function RowMenu({ task, acts }: { task: Task; acts: TaskActs }) {
  const item = (icon: IconName, word: string, reason: string | null, act: (task: Task) => void) => (
    <MenuItem icon={<Icon name={icon} />} disabled={reason !== null} hint={reason ?? undefined} onClick={() => act(task)}>{word}</MenuItem>
  )
  return (
    <Menu trigger={<Button variant="ghost" size="mini" aria-label={t.moreOf(task.caseNumber ?? String(task.id))} title={t.more()}><Icon name="more" className="size-3.5" /></Button>}>
      {item('retry', t.retry(), taskRefusal(task, 'retry'), acts.onRetry)}
      {item('check', t.done(), taskRefusal(task, 'success'), acts.onDone)}
      {item('folder', t.select(), acts.selectReason, acts.onSelect)}
    </Menu>
  )
}

/** Rows that left the page while being read: their clock stands, for nobody knows whether they still run. */
const Gone = createContext<readonly number[]>([])

function Took({ task }: { task: Task }) {
  const gone = useContext(Gone).includes(task.id)
  const now = useNow(task.state === 'running' && !gone)
  return task.startedAt ? duration(task.startedAt, task.finishedAt ?? now) : '–'
}

function columns(acts: TaskActs): Column<Task>[] {
  return [
    { key: 'state', title: t.columns.state(), width: 138, cell: (task) => <StatusBadge look={taskLook(task)} /> },
    { key: 'case', title: t.columns.case(), width: 136, pinned: true, cell: (task) => (task.caseNumber ? <CaseNumber number={task.caseNumber} /> : '–') },
    { key: 'debtor', title: t.columns.debtor(), width: 176, cell: (task) => task.debtorName ?? '–', hint: (task) => task.debtorName ?? undefined },
    { key: 'output', title: t.columns.output(), cell: (task) => <Output task={task} opened={acts.opened === task.id} onOpen={() => acts.onOpen(task)} /> },
    { key: 'runs', title: t.columns.runs(), width: 64, numeric: true, cell: (task) => num(task.runs) },
    { key: 'took', title: t.columns.took(), width: 80, numeric: true, className: 'text-muted-foreground', cell: (task) => <Took task={task} /> },
    { key: 'finished', title: t.columns.finished(), width: 124, numeric: true, className: 'text-muted-foreground', cell: (task) => (task.finishedAt ? whenShort(task.finishedAt) : '–') },
    {
      key: 'acts', title: t.columns.acts(), silent: true, width: 104,
      cell: (task) => (
        <span className="flex justify-end gap-0.5">
          <Mini act="retry" task={task} onClick={() => acts.onRetry(task)} />
          <Mini act="success" task={task} onClick={() => acts.onDone(task)} />
          <RowMenu task={task} acts={acts} />
        </span>
      ),
    },
  ]
}

function Well({ task, acts }: { task: Task; acts: TaskActs }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-5 border-b py-2.5 pr-4 pl-11">
      <pre className="rounded-md border bg-card px-2.5 py-2 font-mono text-xs leading-[18px] wrap-anywhere whitespace-pre-wrap">{outputOf(task) || '–'}</pre>
      <p className="flex gap-2">
        <Button reason={taskRefusal(task, 'retry')} onClick={() => acts.onRetry(task)}><Icon name="retry" />{t.retry()}</Button>
        <Button variant="ghost" reason={taskRefusal(task, 'success')} onClick={() => acts.onDone(task)}><Icon name="check" />{t.done()}</Button>
        <Button variant="ghost" reason={acts.selectReason} onClick={() => acts.onSelect(task)}><Icon name="folder" />{t.select()}</Button>
      </p>
    </div>
  )
}

export function TaskTable({ tasks, gone, acts, ticked, onToggle, onTogglePage, here, onHere, bones, stale }: {
  tasks: Task[]
  gone: number[]
  acts: TaskActs
  ticked: ReadonlySet<number>
  onToggle: (id: number) => void
  onTogglePage: () => void
  here: number | null
  onHere: (index: number) => void
  bones: number
  stale: boolean
}) {
  // The columns stay the same ones, so that only changed rows are drawn; what they call is the newest.
  const latest = useRef(acts)
  useEffect(() => {
    latest.current = acts
  })
  const [stable] = useState<TaskActs>(() => ({
    onRetry: (task) => latest.current.onRetry(task),
    onDone: (task) => latest.current.onDone(task),
    onOpen: (task) => latest.current.onOpen(task),
    onSelect: (task) => latest.current.onSelect(task),
    selectReason: null,
    opened: null,
  }))
  const shown = useMemo(() => columns({ ...stable, opened: acts.opened, selectReason: acts.selectReason }), [stable, acts.opened, acts.selectReason])
  return (
    <Gone value={gone}>
      <DataTable
        label={t.tasks()}
        columns={shown}
        rows={tasks}
        rowName={(task) => task.caseNumber ?? String(task.id)}
        ticks={{ ticked, toggle: onToggle, togglePage: onTogglePage, allLabel: t.pickPage(), label: t.pick('').trim() }}
        here={here}
        onHere={onHere}
        tone={taskTone}
        dim={(task) => gone.includes(task.id)}
        opened={acts.opened}
        more={(task) => <Well task={task} acts={acts} />}
        bones={bones}
        stale={stale}
        minWidth={1038}
      />
    </Gone>
  )
}

/** The same tasks at phone width. */
export function TaskCards({ tasks, gone, acts }: { tasks: Task[]; gone: number[]; acts: TaskActs }) {
  return (
    <ul aria-label={t.tasks()}>
      {tasks.map((task) => {
        const tone = taskTone(task)
        const retry = taskRefusal(task, 'retry')
        const done = taskRefusal(task, 'success')
        return (
          <li key={task.id} data-gone={gone.includes(task.id) || undefined} className={cn('grid grid-cols-[minmax(0,1fr)] gap-1 border-t px-3 py-2.5 first:border-t-0', tone === 'err' && 'shadow-[inset_2px_0_0_var(--err-solid)]', tone === 'warn' && 'shadow-[inset_2px_0_0_var(--warn-solid)]')}>
            <div className="flex items-center justify-between gap-2 pl-[5px]">
              <StatusBadge look={taskLook(task)} />
              {task.caseNumber ? <CaseNumber number={task.caseNumber} /> : null}
            </div>
            {outputOf(task) ? <p className="line-clamp-3 whitespace-pre-line">{outputOf(task)}</p> : null}
            <div className="flex items-center justify-between gap-2 text-xs text-muted-foreground">
              <span className="min-w-0 truncate">{task.debtorName}</span>
              {retry === null || done === null ? (
                <span className="flex flex-none gap-1">
                  <Button className="h-8" reason={retry} onClick={() => acts.onRetry(task)}><Icon name="retry" />{t.retryShort()}</Button>
                  <Button className="h-8" reason={done} onClick={() => acts.onDone(task)}><Icon name="check" />{t.doneShort()}</Button>
                </span>
              ) : null}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
