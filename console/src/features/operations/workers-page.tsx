// All processes that take jobs, by the machine they run on.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { WorkerAnswer } from '@/api/operations'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Ago } from '@/components/ui/ago'
import { buttonVariants } from '@/components/ui/button'
import { Bone, Empty, useLate } from '@/components/ui/feedback'
import { Fresh } from '@/components/ui/fresh'
import { Failed, isForbidden, NoRight } from '@/components/ui/page-frame'
import { Part } from '@/components/ui/part'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { Age } from '@/components/ui/span'
import { useBarred, useOversees } from '@/features/auth/queries'
import { dateTime, num } from '@/lib/format'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { useFollow } from '@/lib/use-follow'
import { Life } from './cells'
import { Takes, thresholds } from './host-list'
import { byHost, headsOf, type Host } from './hosts'
import { overviewQuery, workersQuery } from './queries'
import { edgeOf, LookBadge, workerLook } from './status'
import { t } from './texts'

const takesOf = (worker: WorkerAnswer): Host['takes'] => byHost([{ ...worker, state: 'alive' }]).flatMap((host) => host.takes)

function columns(): Column<WorkerAnswer>[] {
  const c = t.columns
  return [
    { key: 'name', title: c.process(), width: 240, pinned: true, className: 'font-mono text-xs', hint: (one) => `${one.name}, pid ${one.pid}`, cell: (one) => one.name },
    { key: 'state', title: c.state(), width: 112, cell: (one) => <LookBadge look={workerLook[one.state]} /> },
    { key: 'takes', title: c.takes(), className: 'text-xs', cell: (one) => (Object.keys(one.concurrency).length > 0 ? <Takes of={takesOf(one)} /> : <span className="text-muted-foreground">{t.workers.nothing()}</span>) },
    { key: 'running', title: c.running(), width: 64, numeric: true, cell: (one) => num(one.running) },
    { key: 'started', title: c.started(), width: 152, numeric: true, cell: (one) => dateTime(one.startedAt) },
    {
      key: 'seen', title: c.seen(), width: 168, numeric: true,
      cell: (one) => (one.stoppedAt ? <>{t.workers.stoppedAt()} <Ago at={one.stoppedAt} /></> : <Age at={one.seenAt} />),
    },
  ]
}

function HostPart({ host }: { host: Host }) {
  return (
    <Part title={host.name} aside={<Life of={host.counts} />}>
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={host.name}>
        <DataTable label={host.name} columns={columns()} rows={host.workers} rowName={(one) => one.name} tone={(one) => edgeOf(workerLook[one.state].tone)} dim={(one) => one.state === 'stopped'} minWidth={860} />
      </div>
    </Part>
  )
}

export function WorkersPage() {
  const client = useQueryClient()
  const oversees = useOversees()
  const [every, setEvery] = useSteadyRefresh()
  const barred = useBarred()
  const found = useQuery({ ...workersQuery, enabled: oversees, refetchOnWindowFocus: false })
  // The thresholds are said by the overview.
  const overview = useQuery({ ...overviewQuery, enabled: oversees, staleTime: 60_000, refetchOnWindowFocus: false })
  const late = useLate(found.isPending)
  const { refresh } = useFollow(every, async () => { if (oversees) await client.fetchQuery({ ...workersQuery, retry: false }) })
  const workers = found.data?.body.member
  const hosts = byHost(workers ?? [])
  const heads = headsOf(workers ?? [])
  const toQueues = <Link to="/queues" className={buttonVariants({})}>{t.workers.toQueues()}</Link>
  const forbidden = isForbidden(found) || barred

  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible">
      <PageHead
        title={t.workers.title()}
        meta={workers && workers.length > 0 ? <span className="text-muted-foreground">{[t.workers.meta(heads.living, heads.hosts), heads.lost > 0 ? t.workers.lost(heads.lost) : null].filter(Boolean).join(' · ')}</span> : null}
        below={overview.data && !forbidden ? <p className="mt-0.5 max-w-[720px] text-xs text-muted-foreground">{t.workers.explain(...thresholds(overview.data.body.workers))}</p> : null}
      >
        {forbidden ? null : <Fresh at={found.data?.at ?? 0} every={every} choices={STEADY} onEvery={setEvery} busy={found.isFetching} onRefresh={refresh} />}
      </PageHead>
      <Failed of={found} title={t.workers.loadFailed()} onRetry={refresh} />
      {forbidden ? <NoRight act={toQueues}>{t.workers.noRightHint()}</NoRight> : null}
      {late && !forbidden ? <Sheet className="grid gap-6 p-4">{['w-1/4', 'w-2/3', 'w-1/2'].map((width) => <Bone key={width} className={width} />)}</Sheet> : null}
      {workers && hosts.length === 0 && !forbidden ? <Sheet><Empty icon="worker" title={t.workers.noneTitle()} act={toQueues}>{t.workers.noneHint()}</Empty></Sheet> : null}
      <div className="grid flex-none gap-3">{forbidden ? null : hosts.map((host) => <HostPart key={host.name} host={host} />)}</div>
    </div>
  )
}
