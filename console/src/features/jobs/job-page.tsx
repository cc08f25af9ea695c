// One job: its attempts and outward calls, its data and payload, and what can be done with it; followed while it moves.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { ApiError, sentence } from '@/api/errors'
import { useSession } from '@/api/session'
import type { WholeJob } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Bone, Empty, LoadFailed, useLate } from '@/components/ui/feedback'
import { CaseNumber } from '@/components/ui/figures'
import { Fresh } from '@/components/ui/fresh'
import { Icon } from '@/components/ui/icons'
import { Piece } from '@/components/ui/piece'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { typeWord } from '@/features/bulk-actions/status'
import { t as bulk } from '@/features/bulk-actions/texts'
import { refusal } from '@/lib/allowed'
import { common } from '@/lib/common'
import { timeOf } from '@/lib/format'
import type { PollOutcome } from '@/lib/poll'
import { useRefreshChoice } from '@/lib/refresh-choice'
import { usePageTitle } from '@/lib/title'
import { usePoll } from '@/lib/use-poll'
import { Attempts } from './attempts'
import { Calls } from './calls'
import { DataSheet, RelatedSheet } from './job-side'
import { j } from './job-texts'
import { PayloadSheet } from './payload'
import { jobQuery, useJobAct } from './queries'
import { acknowledges, JobBadge, kindWord, queueWord } from './status'
import { t } from './texts'

const CancelDialog = lazy(() => import('./cancel-dialog'))
const EditDialog = lazy(() => import('./edit-dialog'))

function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    return <Sheet><Empty icon="job" title={j.notFound()} act={<Link to="/jobs" className="link">{j.toList()}</Link>}>{j.notFoundHint()}</Empty></Sheet>
  }
  return <LoadFailed title={sentence(error, j.loadFailed())} requestId={error instanceof ApiError ? error.requestId : null} onRetry={onRetry} />
}

type Asking = 'cancel' | 'edit'

function Acts({ job, busy, onRetry, onRunNow, onAsk }: { job: WholeJob; busy: boolean; onRetry: () => void; onRunNow: () => void; onAsk: (what: Asking) => void }) {
  const listed = (name: string) => job.allowedActions.some((one) => one.name === name)
  return (
    <>
      {job.state === 'queued' && listed('runNow') ? <Button reason={refusal(job, 'runNow')} disabled={busy} onClick={onRunNow}><Icon name="play" />{j.runNow()}</Button> : null}
      {listed('cancel') && job.state !== 'ok' && job.state !== 'cancelled' ? (
        <Button variant={acknowledges(job) ? 'secondary' : 'danger'} className="max-sm:hidden" reason={refusal(job, 'cancel')} disabled={busy} onClick={() => onAsk('cancel')}><Icon name={acknowledges(job) ? 'check' : 'stop'} />{acknowledges(job) ? t.acknowledge() : j.cancel()}</Button>
      ) : null}
      {job.payloadFields !== null ? <Button className="max-sm:hidden" reason={refusal(job, 'edit')} disabled={busy} onClick={() => onAsk('edit')}><Icon name="pen" />{j.edit()}</Button> : null}
      {listed('retry') ? <Button variant="primary" className="max-sm:hidden" reason={refusal(job, 'retry')} disabled={busy} onClick={onRetry}><Icon name="retry" />{j.retry()}</Button> : null}
    </>
  )
}

function Below({ job }: { job: WholeJob }) {
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-1 text-xs text-muted-foreground">
      {job.caseNumber ? <span>{j.case()} <Link to="/case_list" search={{ number: job.caseNumber, status: 'all' }} className="link inline-flex min-h-6 items-center"><CaseNumber number={job.caseNumber} /></Link></span> : null}
      {job.debtorName ? <span>· {job.debtorName}</span> : null}
      {job.bulkAction ? <span>· {j.bulkAction().toLowerCase()} <Link to="/bulk_actions/$id" params={{ id: String(job.bulkAction.id) }} className="link inline-flex min-h-6 items-center">{typeWord[job.bulkAction.type]()} {bulk.numberOf(job.bulkAction.id)}</Link></span> : null}
    </p>
  )
}

export function JobPage() {
  const id = Number(useParams({ from: '/_app/jobs/$id' }).id)
  const client = useQueryClient()
  const session = useSession()
  const [every, setEvery] = useRefreshChoice()
  const [acted, setActed] = useState(0)
  const [asking, setAsking] = useState<Asking | null>(null)
  const found = useQuery({ ...jobQuery(id), refetchOnWindowFocus: false })
  const late = useLate(found.isPending)
  const act = useJobAct(id)
  const job = found.data
  usePageTitle(job ? `${kindWord(job.kind)} ${j.number(job.id)}` : t.title())

  async function refresh(): Promise<PollOutcome> {
    const before = client.getQueryData<WholeJob>(jobQuery(id).queryKey)
    const now = await client.fetchQuery({ ...jobQuery(id), retry: false })
    return before?.state !== now.state || before.runs !== now.runs ? 'status' : 'unchanged'
  }
  const touch = () => setActed(Date.now())
  const moves = job !== undefined && job.status === 1
  usePoll({ active: session !== null && moves, every, ask: refresh, resetKey: acted })

  if (!job) {
    return (
      <>
        <PageHead title={t.title()} />
        {found.isError ? <Missing error={found.error} onRetry={() => void found.refetch()} /> : null}
        {late ? <Sheet className="grid gap-4 p-5">{['w-1/4', 'w-full', 'w-2/3', 'w-1/2'].map((width) => <Bone key={width} className={width} />)}</Sheet> : null}
      </>
    )
  }
  const retry = () => {
    touch()
    act.mutate({ act: 'retry' })
  }
  const at = <span className="text-xs text-muted-foreground">{j.still()} · {common.dataFrom()} <b className="font-medium text-foreground">{timeOf(found.dataUpdatedAt)}</b></span>
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible max-sm:pb-20">
      <PageHead
        title={kindWord(job.kind)}
        crumbs={
          <nav aria-label={j.crumbs()} className="flex items-center gap-1.5 text-xs text-muted-foreground">
            <Link to="/jobs" activeOptions={{ exact: true }} className="link inline-flex min-h-6 items-center">{t.title()}</Link>
            <span>/</span>
            <Link to="/jobs" search={{ queue: [job.queue] }} className="link inline-flex min-h-6 items-center">{queueWord[job.queue]()}</Link>
          </nav>
        }
        meta={<><JobBadge job={job} box /><span className="text-muted-foreground">{j.number(job.id)}</span></>}
        below={<Below job={job} />}
      >
        {moves ? <Fresh at={found.dataUpdatedAt} every={every} onEvery={setEvery} busy={found.isFetching} onRefresh={() => { touch(); refresh().catch(() => undefined) }} /> : at}
        <Acts job={job} busy={act.isPending} onRetry={retry} onRunNow={() => { touch(); act.mutate({ act: 'run_now' }) }} onAsk={setAsking} />
      </PageHead>
      {found.isError ? (
        <div className="mb-3">
          <LoadFailed title={sentence(found.error, j.loadFailed())} requestId={found.error instanceof ApiError ? found.error.requestId : null} onRetry={() => void found.refetch()}>{common.shownFrom(timeOf(found.dataUpdatedAt))}</LoadFailed>
        </div>
      ) : null}
      <div className="grid grid-cols-[minmax(0,1fr)_372px] items-start gap-3 max-lg:grid-cols-1">
        <div className="grid min-w-0 gap-3">
          <Attempts job={job} />
          <Calls calls={job.calls} />
        </div>
        <div className="grid min-w-0 gap-3">
          <DataSheet job={job} />
          <PayloadSheet key={job.id} job={job} />
          <RelatedSheet job={job} />
        </div>
      </div>
      <div className="fixed inset-x-0 bottom-0 z-10 hidden grid-cols-2 gap-2 border-t border-border-strong bg-background px-3 pt-2.5 pb-3.5 max-sm:grid">
        <Button size="dock" variant={acknowledges(job) ? 'secondary' : 'danger'} reason={refusal(job, 'cancel')} disabled={act.isPending} onClick={() => setAsking('cancel')}>{acknowledges(job) ? t.acknowledge() : j.cancel()}</Button>
        <Button size="dock" variant="primary" reason={refusal(job, 'retry')} disabled={act.isPending} onClick={retry}><Icon name="retry" />{j.retry()}</Button>
      </div>
      {asking ? (
        <Piece onLost={() => setAsking(null)}>
          {asking === 'cancel' ? (
            <CancelDialog
              count={1}
              acknowledges={acknowledges(job)}
              busy={act.isPending}
              onClose={() => setAsking(null)}
              onCancel={(reason) => { touch(); act.mutate({ act: 'cancel', ...(reason ? { reason } : {}) }, { onSettled: () => setAsking(null) }) }}
            />
          ) : (
            <EditDialog job={job} busy={act.isPending} error={act.error} onClose={() => setAsking(null)} onSend={(payload) => { touch(); act.mutate({ act: 'retry', payload }, { onSuccess: () => setAsking(null) }) }} />
          )}
        </Piece>
      ) : null}
    </div>
  )
}
