// The queues: what is wrong first, then each queue, the registers, the workers and what failed.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import type { Overview } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Sweep, useLate } from '@/components/ui/feedback'
import { Fresh } from '@/components/ui/fresh'
import { Icon } from '@/components/ui/icons'
import { Failed, isForbidden, NoRight } from '@/components/ui/page-frame'
import { Part } from '@/components/ui/part'
import { Piece } from '@/components/ui/piece'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { useRole } from '@/features/auth/queries'
import { cronsQuery } from '@/features/crons/list'
import { t as ofCrons } from '@/features/crons/texts'
import { GroupLine, useRetryGroup } from '@/features/error-groups/status'
import { refusal } from '@/lib/allowed'
import { countText } from '@/lib/counts'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { useFollow } from '@/lib/use-follow'
import { Troubles } from './banners'
import { HostList } from './host-list'
import { headsOf } from './hosts'
import type { PauseOf } from './pause-dialog'
import { overviewQuery, useCronsToo } from './queries'
import { QueueTable } from './queue-table'
import { Registers } from './registers'
import { t } from './texts'
import { troubles } from './trouble'

const PauseDialog = lazy(() => import('./pause-dialog'))

/** Why nothing can be paused here, where no queue can. */
function noPause(overview: Overview | undefined): string | null {
  const reasons = (overview?.queues ?? []).map((queue) => refusal(queue, 'pause'))
  return reasons.length > 0 && reasons.every((one) => one !== null) ? (reasons[0] ?? '') : null
}

function metaOf(overview: Overview): string {
  const { member } = overview.workers
  if (member.length === 0) return t.queuesOnly(overview.queues.length)
  const { living, hosts, lost } = headsOf(member)
  return [t.meta(overview.queues.length, living, hosts), lost > 0 ? t.workers.lost(lost) : null].filter(Boolean).join(' · ')
}

function Failures({ of }: { of: Overview['errors'] }) {
  const { onRetry, dialog } = useRetryGroup({})
  return (
    <Part
      title={t.failures.title()}
      hint={t.failures.hint()}
      aside={of.member.length > 0 ? <Link to="/errors" className="link inline-flex min-h-6 items-center">{t.failures.all(countText(of.total))}</Link> : null}
    >
      {of.member.length > 0 ? <ul>{of.member.map((group) => <GroupLine key={group.key} group={group} onRetry={onRetry} />)}</ul> : <p className="px-3 py-3 text-muted-foreground">{t.failures.none()}</p>}
      {dialog}
    </Part>
  )
}

export function OverviewPage() {
  const client = useQueryClient()
  const role = useRole()
  const [every, setEvery] = useSteadyRefresh()
  const [pausing, setPausing] = useState<PauseOf | null>(null)
  const found = useQuery({ ...overviewQuery, refetchOnWindowFocus: false })
  const late = useLate(found.isPending)
  const overview = found.data?.body
  const { oversees, crons, found: clock } = useCronsToo()
  const { refresh } = useFollow(every, () => Promise.all([client.fetchQuery({ ...overviewQuery, retry: false }), oversees ? client.fetchQuery({ ...cronsQuery, retry: false }) : undefined]))

  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible">
      <PageHead title={t.title()} meta={overview ? <span className="text-muted-foreground max-sm:text-xs">{metaOf(overview)}</span> : null}>
        <Fresh at={found.data?.at ?? 0} every={every} choices={STEADY} onEvery={setEvery} busy={found.isFetching} onRefresh={refresh} />
        <Button reason={noPause(overview)} disabled={!overview} className="max-sm:h-10" onClick={() => setPausing({})}><Icon name="pause" />{t.pause.act()}</Button>
      </PageHead>
      <Failed of={found} title={t.loadFailed()} onRetry={refresh} />
      {found.isError ? null : <Failed of={clock} title={ofCrons.loadFailed()} onRetry={refresh} />}
      {isForbidden(found) && !overview ? <NoRight>{t.noRightHint()}</NoRight> : null}
      {overview ? <Troubles found={troubles(overview, crons)} onEdit={(pause) => setPausing({ pause })} /> : null}
      {overview || late ? (
        <Sheet className="relative flex-none overflow-hidden" aria-label={t.title()}>
          <Sweep on={found.isError && found.isFetching} />
          <QueueTable queues={overview?.queues ?? []} bones={7} onPause={(queue) => setPausing({ queue })} onEdit={(pause) => setPausing({ pause })} />
        </Sheet>
      ) : null}
      {overview ? (
        <div className="mt-3 grid flex-none grid-cols-2 items-start gap-3 max-lg:grid-cols-[minmax(0,1fr)]">
          <div className="grid gap-3">
            <Registers of={overview.registers} held={overview.queues.flatMap((queue) => (queue.pause && queue.register ? [queue.register] : []))} />
            <HostList of={overview.workers} mayOpen={role?.role !== 'KT'} />
          </div>
          <Failures of={overview.errors} />
        </div>
      ) : null}
      {pausing ? <Piece onLost={() => setPausing(null)}><PauseDialog of={pausing} onClose={() => setPausing(null)} /></Piece> : null}
    </div>
  )
}
