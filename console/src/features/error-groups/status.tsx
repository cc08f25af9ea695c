// An error as one entry of a list: how often, what, where, when; one click repeats its jobs.
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, useState } from 'react'
import type { ErrorGroup, JobFilter } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { Piece } from '@/components/ui/piece'
import { refusal } from '@/lib/allowed'
import { countText } from '@/lib/counts'
import { whenShort } from '@/lib/format'
import { cn } from '@/lib/utils'
import type { GroupSearch } from './filters'
import { jobsOf } from './queries'
import { t } from './texts'

const OperatorActionDialog = lazy(() => import('@/features/operator-actions/start-dialog').then((module) => ({ default: module.OperatorActionDialog })))

/** Opens the preview of repeating what a group's count is of. */
export function useRetryGroup(search: Pick<GroupSearch, 'hours' | 'bureau'>): { onRetry: (group: ErrorGroup) => void; dialog: ReactNode } {
  const [filter, setFilter] = useState<JobFilter | null>(null)
  const close = () => setFilter(null)
  return {
    onRetry: (group) => setFilter(jobsOf(group, search, Date.now())),
    dialog: filter ? <Piece onLost={close}><OperatorActionDialog kind="retry" filter={filter} onClose={close} /></Piece> : null,
  }
}

/** "büroo 101", or how many; the wire names ten at most. */
export function bureausSaid(codes: string[]): string {
  return codes.length === 1 ? t.bureauOne(codes[0] ?? '') : t.bureauMany(codes.length)
}

export function KnownMark({ note, className }: { note: NonNullable<ErrorGroup['note']>; className?: string }) {
  return (
    <span title={`${note.text}\n${t.noteBy(note.by, whenShort(note.at))}`} className={cn('inline-block rounded-sm border border-border-strong px-1.5 text-2xs font-medium whitespace-nowrap text-muted-foreground', className)}>
      {t.isKnown()}
    </span>
  )
}

export function RetryGroup({ group, onRetry }: { group: ErrorGroup; onRetry: (group: ErrorGroup) => void }) {
  return <Button reason={refusal(group, 'retry')} onClick={() => onRetry(group)}><Icon name="retry" />{t.retry(countText(group.count))}</Button>
}

/** Leads to the jobs that a group's count is of, as of when the page was drawn. */
export function GroupJobs({ group, search, ...props }: { group: ErrorGroup; search: Pick<GroupSearch, 'hours' | 'bureau'>; className: string; title?: string; children: ReactNode }) {
  const [now] = useState(Date.now)
  return <Link to="/jobs" search={jobsOf(group, search, now)} {...props} />
}

export function GroupLine({ group, onRetry }: { group: ErrorGroup; onRetry: (group: ErrorGroup) => void }) {
  return (
    <li className="grid grid-cols-[minmax(30px,auto)_minmax(0,1fr)_auto] items-center gap-2.5 border-t px-3 py-[7px] first:border-t-0">
      <b className="num text-right font-semibold">{countText(group.count)}</b>
      <span className="min-w-0">
        <GroupJobs group={group} search={{}} className="link block truncate font-medium max-sm:line-clamp-2 max-sm:whitespace-normal" title={group.text}>{group.text}</GroupJobs>
        <span className="num block truncate text-xs text-muted-foreground max-sm:whitespace-normal">
          {[bureausSaid(group.bureaus), t.first(whenShort(group.firstSeenAt)), t.last(whenShort(group.lastSeenAt))].join(' · ')}
        </span>
      </span>
      {group.note ? <KnownMark note={group.note} /> : <RetryGroup group={group} onRetry={onRetry} />}
    </li>
  )
}
