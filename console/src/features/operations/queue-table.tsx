// The queues as rows, as cards on a phone; the keyboard's row follows its queue when the order changes.
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Pause, QueueAnswer, QueueName } from '@/api/operations'
import type { TaskState } from '@/api/types'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { Menu, MenuItem } from '@/components/ui/menu'
import { queueWord } from '@/features/jobs/status'
import { refusal } from '@/lib/allowed'
import { countText } from '@/lib/counts'
import { num } from '@/lib/format'
import { useHotkeys } from '@/lib/hotkeys'
import { usePhone } from '@/lib/use-phone'
import { cn } from '@/lib/utils'
import { DrainWord, failsNow, LastHour, Life, Oldest, stateNote } from './cells'
import { useEndPause } from './queries'
import { QUEUES } from './search'
import { edgeOf, LookBadge, lookOf } from './status'
import { t } from './texts'
import { isIdle } from './trouble'
import { useStillOrder } from './use-still-order'

type Acts = { onPause: (queue: QueueName) => void; onEdit: (pause: Pause) => void }
type Row = QueueAnswer & { id: number }

function RowActs({ queue, onPause, onEdit }: { queue: QueueAnswer } & Acts) {
  const navigate = useNavigate()
  const end = useEndPause()
  const name = queueWord[queue.name]()
  const { pause } = queue
  return (
    <span className="flex items-center justify-end gap-0.5">
      {pause ? (
        <Button className="h-6 px-2 text-xs" reason={refusal(pause, 'resume')} disabled={end.isPending} aria-label={`${t.paused.resumeShort()}: ${name}`} onClick={() => end.mutate(pause)}><Icon name="play" />{t.paused.resumeShort()}</Button>
      ) : (
        <Button variant="ghost" size="mini" reason={refusal(queue, 'pause')} aria-label={t.pause.of(name)} title={t.pause.of(name)} onClick={() => onPause(queue.name)}><Icon name="pause" className="size-3.5!" /></Button>
      )}
      <Menu trigger={<Button variant="ghost" size="mini" aria-label={t.more(name)} title={t.more(name)}><Icon name="more" className="size-3.5!" /></Button>}>
        <MenuItem icon={<Icon name="queue" className="size-3.5" />} onClick={() => void navigate({ to: '/queues/$name', params: { name: queue.name } })}>{t.openQueue()}</MenuItem>
        <MenuItem icon={<Icon name="job" className="size-3.5" />} onClick={() => void navigate({ to: '/jobs', search: { queue: [queue.name] } })}>{t.seeJobs()}</MenuItem>
        <MenuItem icon={<Icon name="err" className="size-3.5" />} onClick={() => void navigate({ to: '/errors', search: { queue: queue.name } })}>{t.seeErrors()}</MenuItem>
        {pause ? <MenuItem icon={<Icon name="pen" className="size-3.5" />} disabled={refusal(pause, 'edit') !== null} hint={refusal(pause, 'edit')} onClick={() => onEdit(pause)}>{t.pause.editTitle()}</MenuItem> : null}
      </Menu>
    </span>
  )
}

function Name({ queue }: { queue: QueueAnswer }) {
  return (
    <>
      <Link to="/queues/$name" params={{ name: queue.name }} className="link inline-flex min-h-6 items-center font-medium decoration-transparent">{queueWord[queue.name]()}</Link>
      <span className="-mt-1 block text-xs text-muted-foreground">{queue.name}</span>
    </>
  )
}

/** A figure that leads to the jobs it counts. */
function Jobs({ queue, state, said, children }: { queue: QueueAnswer; state: TaskState[]; said: string; children: string }) {
  return <Link to="/jobs" search={{ queue: [queue.name], state }} aria-label={`${queueWord[queue.name]()}: ${said} ${children}`} className="link inline-flex min-h-6 items-center decoration-transparent">{children}</Link>
}
const WAITING: TaskState[] = ['queued', 'dispatched']

function Waiting({ queue }: { queue: QueueAnswer }) {
  return <Jobs queue={queue} state={WAITING} said={t.columns.waiting()}>{countText(queue.waiting)}</Jobs>
}

function Running({ queue }: { queue: QueueAnswer }) {
  return <Jobs queue={queue} state={['running']} said={t.columns.running()}>{num(queue.running)}</Jobs>
}

function Failed({ queue }: { queue: QueueAnswer }) {
  return (
    <Link
      to="/errors" search={{ queue: queue.name }} aria-label={`${queueWord[queue.name]()}: ${t.columns.failed()} ${countText(queue.failed24h)}`}
      className={cn('link inline-flex min-h-6 items-center decoration-transparent', queue.failed24h.value > 0 && failsNow(queue) && 'font-semibold text-err')}
    >
      {countText(queue.failed24h)}
    </Link>
  )
}

function columnsOf(acts: Acts): Column<Row>[] {
  const c = t.columns
  return [
    { key: 'name', title: c.queue(), width: 128, cell: (queue) => <Name queue={queue} /> },
    {
      key: 'state', title: c.state(), width: 200, hint: stateNote,
      cell: (queue) => <><LookBadge look={lookOf(queue)} className="h-[18px]" /><span className="block truncate text-xs leading-4 text-muted-foreground">{stateNote(queue)}</span></>,
    },
    { key: 'waiting', title: c.waiting(), width: 118, numeric: true, className: 'font-medium', cell: (queue) => <Waiting queue={queue} /> },
    { key: 'running', title: c.running(), width: 56, numeric: true, cell: (queue) => <Running queue={queue} /> },
    { key: 'retrying', title: c.retrying(), width: 72, numeric: true, cell: (queue) => countText(queue.retrying) },
    { key: 'failed', title: c.failed(), width: 68, numeric: true, wrapTitle: true, cell: (queue) => <Failed queue={queue} /> },
    { key: 'oldest', title: c.oldest(), width: 80, numeric: true, wrapTitle: true, cell: (queue) => <Oldest queue={queue} /> },
    { key: 'drain', title: c.drain(), width: 132, cell: (queue) => <DrainWord queue={queue} /> },
    { key: 'hour', title: c.hour(), width: 116, cell: (queue) => <LastHour queue={queue} /> },
    { key: 'workers', title: c.workers(), cell: (queue) => <Life of={queue.workers} /> },
    { key: 'acts', title: c.acts(), silent: true, width: 116, cell: (queue) => <RowActs queue={queue} {...acts} /> },
  ]
}

function Card({ queue, onPause, onEdit }: { queue: QueueAnswer } & Acts) {
  const c = t.columns
  const edge = edgeOf(lookOf(queue).tone)
  const facts: Array<[string, React.ReactNode]> = [
    [c.waiting(), <Waiting key="waiting" queue={queue} />], [c.running(), <Running key="running" queue={queue} />], [c.failed(), <Failed key="failed" queue={queue} />],
    [c.oldest(), <Oldest key="oldest" queue={queue} />], [c.drain(), <DrainWord key="drain" queue={queue} />],
  ]
  return (
    <li className={cn('grid gap-2 border-t px-3 py-2.5 first:border-t-0', edge === 'err' && 'shadow-[inset_2px_0_0_var(--err-solid)]', edge === 'warn' && 'shadow-[inset_2px_0_0_var(--warn-solid)]')}>
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0"><Name queue={queue} /></div>
        <RowActs queue={queue} onPause={onPause} onEdit={onEdit} />
      </div>
      <div><LookBadge look={lookOf(queue)} /><span className="ml-2 text-xs text-muted-foreground">{stateNote(queue)}</span></div>
      <dl className="num flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {facts.map(([name, value]) => <div key={name} className="flex items-center gap-1"><dt className="text-muted-foreground">{name}</dt><dd>{value}</dd></div>)}
      </dl>
      <div className="flex items-end justify-between gap-4"><Life of={queue.workers} /><LastHour queue={queue} /></div>
    </li>
  )
}

export function QueueTable({ queues: fresh, bones, ...acts }: { queues: QueueAnswer[]; bones: number } & Acts) {
  const navigate = useNavigate()
  const phone = usePhone()
  const { queues, reading } = useStillOrder(fresh.toSorted((a, b) => Number(isIdle(a)) - Number(isIdle(b))))
  const [here, setHere] = useState<QueueName | null>(null)
  const found = queues.findIndex((queue) => queue.name === here)
  const index = found < 0 ? null : found
  const move = (to: number) => setHere(queues[Math.max(0, Math.min(to, queues.length - 1))]?.name ?? null)
  const queue = index === null ? undefined : queues[index]
  useHotkeys({
    j: () => move(index === null ? 0 : index + 1),
    k: () => move(index === null ? 0 : index - 1),
    Enter: () => {
      if (queue) void navigate({ to: '/queues/$name', params: { name: queue.name } })
    },
  })
  if (phone && queues.length > 0) return <ul aria-label={t.title()} {...reading}>{queues.map((one) => <Card key={one.name} queue={one} {...acts} />)}</ul>
  return (
    <div className="overflow-x-auto [--row:48px] [&_td]:leading-[18px]" tabIndex={0} role="region" aria-label={t.title()} {...reading}>
      <DataTable<Row>
        label={t.title()}
        columns={columnsOf(acts)}
        rows={queues.map((one) => ({ ...one, id: QUEUES.indexOf(one.name) + 1 }))}
        rowName={(row) => queueWord[row.name]()}
        tone={(row) => edgeOf(lookOf(row).tone)}
        here={index}
        onHere={(at) => setHere(queues[at]?.name ?? null)}
        bones={bones}
        minWidth={1210}
      />
    </div>
  )
}
