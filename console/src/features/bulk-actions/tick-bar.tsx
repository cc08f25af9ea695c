// What can be done with the ticked tasks.
import type { Task } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Icon } from '@/components/ui/icons'
import { taskRefusal } from './task-table'
import { t } from './texts'

export function TickBar({ tasks, all, onRetry, onDone, onSelect, selectReason, onClear, onTogglePage }: {
  tasks: Task[]
  all: boolean
  onRetry: () => void
  onDone: () => void
  onSelect: () => void
  selectReason: string | null
  onClear: () => void
  onTogglePage: () => void
}) {
  const why = (act: 'retry' | 'success') => (tasks.some((task) => taskRefusal(task, act) === null) ? null : (tasks.map((task) => taskRefusal(task, act)).find(Boolean) ?? ''))
  return (
    <span className="-my-1 inline-flex min-h-9 flex-wrap items-center gap-2 rounded-md bg-selected pr-1 pl-2.5">
      <Checkbox aria-label={t.pickPage()} checked={all} indeterminate={!all} onChange={onTogglePage} />
      <b className="font-semibold" role="status">{t.picked(tasks.length)}</b>
      <Button reason={why('retry')} onClick={onRetry}><Icon name="retry" />{t.retry()}</Button>
      <Button reason={why('success')} onClick={onDone}><Icon name="check" />{t.done()}</Button>
      <Button reason={selectReason} onClick={onSelect}><Icon name="folder" />{t.select()}</Button>
      <Button variant="ghost" size="mini" aria-label={t.clearPicked()} title={t.clearPicked()} onClick={onClear}><Icon name="x" className="size-3.5" /></Button>
    </span>
  )
}
