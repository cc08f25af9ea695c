// Failed jobs by the error they share: how often, since when, for whom; known ones with their note, all of one repeated by one click.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, sentence } from '@/api/errors'
import type { ErrorGroup } from '@/api/operations'
import { Kbd } from '@/components/ui/chip'
import { Button } from '@/components/ui/button'
import { Bone, Empty, LoadFailed, Sweep, useLate } from '@/components/ui/feedback'
import { Fresh } from '@/components/ui/fresh'
import { FootBar, PageHead, Sheet } from '@/components/ui/sheet'
import { useRole } from '@/features/auth/queries'
import { ViewsMenu } from '@/features/saved-views/views-menu'
import { refusal } from '@/lib/allowed'
import { common } from '@/lib/common'
import { addCounts, countText } from '@/lib/counts'
import { timeOf } from '@/lib/format'
import { useHotkeys } from '@/lib/hotkeys'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { useFollow } from '@/lib/use-follow'
import { FilterBar } from './filter-bar'
import { DEFAULT_HOURS, type GroupSearch, groupFilterCount, withGroupFilter } from './filters'
import { GroupItem } from './group-item'
import { groupsQuery, jobsOf } from './queries'
import { useRetryGroup } from './status'
import { t } from './texts'

export function GroupsPage() {
  const search = useSearch({ from: '/_app/errors' })
  const navigate = useNavigate({ from: '/errors' })
  const client = useQueryClient()
  const role = useRole()
  const [every, setEvery] = useSteadyRefresh()
  const [here, setHere] = useState<string | null>(null)
  const found = useQuery({ ...groupsQuery(search), refetchOnWindowFocus: false })
  const late = useLate(found.isPending)
  const stale = useLate(found.isPlaceholderData)
  const { refresh } = useFollow(every, () => client.fetchQuery({ ...groupsQuery(search), retry: false }))
  const groups = found.data?.body.member ?? []
  const failed = addCounts(...groups.map((group) => group.count))
  const retry = useRetryGroup(search)
  const forbidden = found.error instanceof ApiError && found.error.status === 403

  const change = (part: Partial<GroupSearch>) => void navigate({ search: (now) => withGroupFilter(now, part) })
  const reset = () => change({ queue: undefined, bureau: undefined, known: undefined })
  const at = groups.findIndex((group) => group.key === here)
  const move = (to: number) => setHere(groups[Math.max(0, Math.min(to, groups.length - 1))]?.key ?? null)
  const group = groups[at]
  useHotkeys({
    j: () => move(at + 1),
    k: () => move(at < 0 ? 0 : at - 1),
    Enter: () => {
      if (group) void navigate({ to: '/jobs', search: jobsOf(group, search, Date.now()) })
    },
    r: () => {
      if (group && refusal(group, 'retry') === null) retry.onRetry(group)
    },
  })

  const empty = groupFilterCount(search) > 0
    ? <Empty icon="filter" title={t.noMatch()} act={<Button onClick={reset}>{t.clear()}</Button>}>{t.noMatchHint()}</Empty>
    : <Empty icon="ok" title={t.none()}>{t.noneHint(t.hours(search.hours ?? DEFAULT_HOURS))}</Empty>
  return (
    <>
      <PageHead title={t.title()} meta={found.data && !forbidden ? <span role="status" className="text-muted-foreground">{t.meta(groups.length, countText(failed), failed.value)}</span> : null}>
        <Fresh at={found.data?.at ?? 0} every={every} choices={STEADY} onEvery={setEvery} busy={found.isFetching} onRefresh={refresh} />
        <ViewsMenu page="errors" search={search} />
      </PageHead>
      <Sheet fill className="min-h-[500px] max-sm:min-h-0">
        <FilterBar search={search} withBureau={role !== undefined && role.role !== 'KT'} onChange={change} onReset={reset} />
        {found.isError && !forbidden ? (
          <div className="p-3">
            <LoadFailed title={sentence(found.error, t.loadFailed())} requestId={found.error instanceof ApiError ? found.error.requestId : null} onRetry={refresh}>
              {found.data ? common.shownFrom(timeOf(found.data.at)) : null}
            </LoadFailed>
          </div>
        ) : null}
        <div className="relative min-h-0 flex-1 overflow-auto max-sm:overflow-visible" tabIndex={0} role="region" aria-label={t.title()}>
          <Sweep on={stale} />
          {late ? <div className="grid gap-6 p-4">{['w-1/4', 'w-2/3', 'w-1/2', 'w-3/5'].map((width) => <Bone key={width} className={width} />)}</div> : null}
          {forbidden ? <Empty icon="lock" title={t.noRight()}>{t.noRightHint()}</Empty> : null}
          {found.data && groups.length === 0 && !forbidden ? empty : null}
          {forbidden ? null : (
            <ul aria-label={t.title()} aria-busy={stale || undefined} className={stale ? 'text-muted-foreground' : undefined}>
              {groups.map((group: ErrorGroup) => <GroupItem key={group.key} group={group} search={search} onRetry={retry.onRetry} here={group.key === here} onHere={() => setHere(group.key)} />)}
            </ul>
          )}
        </div>
        <FootBar className="max-sm:hidden"><span className="flex items-center gap-1"><Kbd>j</Kbd><Kbd>k</Kbd> {t.keysRow()}</span><span className="flex items-center gap-1"><Kbd>Enter</Kbd> {t.keysOpen()}</span><span className="flex items-center gap-1"><Kbd>r</Kbd> {t.keysRetry()}</span></FootBar>
      </Sheet>
      {retry.dialog}
    </>
  )
}
