// An error as one entry of a list: how often, what, where, when; one click repeats its jobs.
import { Link } from '@tanstack/react-router'
import type { ErrorGroup } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { refusal } from '@/lib/allowed'
import { countText } from '@/lib/counts'
import { whenShort } from '@/lib/format'
import { cn } from '@/lib/utils'
import { t } from './texts'

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

export function GroupLine({ group, onRetry }: { group: ErrorGroup; onRetry?: (group: ErrorGroup) => void }) {
  return (
    <li className="grid grid-cols-[minmax(30px,auto)_minmax(0,1fr)_auto] items-center gap-2.5 border-t px-3 py-[7px] first:border-t-0">
      <b className="num text-right font-semibold">{countText(group.count)}</b>
      <span className="min-w-0">
        <Link to="/errors" search={{ queue: group.queue }} className="link block truncate font-medium" title={group.text}>{group.text}</Link>
        <span className="num block truncate text-xs text-muted-foreground">
          {[bureausSaid(group.bureaus), t.first(whenShort(group.firstSeenAt)), t.last(whenShort(group.lastSeenAt))].join(' · ')}
        </span>
      </span>
      {group.note ? <KnownMark note={group.note} /> : onRetry ? <RetryGroup group={group} onRetry={onRetry} /> : null}
    </li>
  )
}
