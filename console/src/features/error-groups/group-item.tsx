// One error with all that is known of it and what can be done about it.
import { useEffect, useRef } from 'react'
import type { ErrorGroup } from '@/api/operations'
import { Sparkline } from '@/components/ui/sparkline'
import { kindWord, queueWord } from '@/features/jobs/status'
import { countText } from '@/lib/counts'
import { dateTime, whenShort } from '@/lib/format'
import { cn } from '@/lib/utils'
import type { GroupSearch } from './filters'
import { Note } from './note'
import { bureausSaid, GroupJobs, RetryGroup } from './status'
import { t } from './texts'

export function GroupItem({ group, search, here, onHere, onRetry }: { group: ErrorGroup; search: GroupSearch; here: boolean; onHere: () => void; onRetry: (group: ErrorGroup) => void }) {
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (here) line.current?.scrollIntoView({ block: 'nearest' })
  }, [here])
  const total = group.trend.reduce((sum, one) => sum + one, 0)
  return (
    <li
      ref={line}
      data-here={here || undefined}
      onMouseDown={onHere}
      className={cn('grid grid-cols-[88px_minmax(0,1fr)_96px_224px] items-start gap-x-4 gap-y-1 border-b px-3 py-2.5 max-sm:grid-cols-[minmax(0,1fr)_auto]', here && 'shadow-[inset_0_0_0_2px_var(--ring)]')}
    >
      <b className="num text-right font-semibold max-sm:order-1 max-sm:text-left">{countText(group.count)}</b>
      <div className="grid min-w-0 gap-0.5 max-sm:order-3 max-sm:col-span-2">
        <p className="font-medium break-words">{group.text}</p>
        <p className="num text-xs text-muted-foreground">
          {queueWord[group.queue]()} · {kindWord(group.kind)} · <span className="font-mono">{group.code}</span> · <span title={group.bureaus.join(', ')}>{bureausSaid(group.bureaus)}</span>
        </p>
        <p className="num text-xs text-muted-foreground">
          <span title={dateTime(group.firstSeenAt)}>{t.first(whenShort(group.firstSeenAt))}</span> · <span title={dateTime(group.lastSeenAt)}>{t.last(whenShort(group.lastSeenAt))}</span>
        </p>
        <Note group={group} />
      </div>
      <Sparkline className="mt-1 max-sm:order-2" done={group.trend.map(() => 0)} failed={group.trend} most={24} label={t.trendSaid(total, group.trend.at(-1) ?? 0)} />
      <div className="flex items-center justify-end gap-3 max-sm:order-4 max-sm:col-span-2 max-sm:mt-1 max-sm:justify-start">
        <GroupJobs group={group} search={search} className="link inline-flex min-h-6 items-center">{t.jobs()}</GroupJobs>
        <RetryGroup group={group} onRetry={onRetry} />
      </div>
    </li>
  )
}
