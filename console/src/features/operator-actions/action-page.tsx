// One operator action: progress, why some were not done, its jobs by their end; followed by polling while anything moves.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, useEffect, useState } from 'react'
import { ApiError, sentence } from '@/api/errors'
import type { OperatorAction } from '@/api/operations'
import { useSession } from '@/api/session'
import { Button } from '@/components/ui/button'
import { Banner, Bone, Empty, LoadFailed, useLate } from '@/components/ui/feedback'
import { Fresh } from '@/components/ui/fresh'
import { Icon } from '@/components/ui/icons'
import { Piece } from '@/components/ui/piece'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { refusal } from '@/lib/allowed'
import { common } from '@/lib/common'
import { dateTime, timeOf, whenShort } from '@/lib/format'
import type { PollOutcome } from '@/lib/poll'
import { useRefreshChoice } from '@/lib/refresh-choice'
import { usePageTitle } from '@/lib/title'
import { usePoll } from '@/lib/use-poll'
import { ActionHead } from './action-head'
import { ItemList } from './item-list'
import { Progress, Reasons } from './progress'
import { actionQuery, useSteer } from './queries'
import { kindLook, t } from './texts'

const StopDialog = lazy(() => import('./stop-dialog'))

function outcome(before: OperatorAction | undefined, now: OperatorAction): PollOutcome {
  if (before?.status !== now.status) return 'status'
  return JSON.stringify(before.counts) === JSON.stringify(now.counts) ? 'unchanged' : 'counts'
}

function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    return <Sheet><Empty icon="layers" title={t.notFound()} act={<Link to="/operator_actions" className="link">{t.toList()}</Link>}>{t.notFoundHint()}</Empty></Sheet>
  }
  return <LoadFailed title={sentence(error, t.oneFailed())} requestId={error instanceof ApiError ? error.requestId : null} onRetry={onRetry} />
}

function PausedBanner({ action, busy, onResume }: { action: OperatorAction; busy: boolean; onResume: () => void }) {
  if (action.status !== 1 || action.pausedAt === null) return null
  return (
    <div className="mb-3 flex-none">
      <Banner
        tone="warn"
        icon="pause"
        title={t.pausedTitle()}
        meta={
          <>
            {action.pausedBy ? <span>{t.pausedBy()} <b className="font-medium text-foreground">{action.pausedBy.name}</b></span> : null}
            <time dateTime={action.pausedAt} title={dateTime(action.pausedAt)}>{t.since(whenShort(action.pausedAt))}</time>
          </>
        }
        act={<Button reason={refusal(action, 'resume')} disabled={busy} onClick={onResume}>{t.resume()}</Button>}
      />
    </div>
  )
}

export function ActionPage() {
  const id = Number(useParams({ from: '/_app/operator_actions/$id' }).id)
  const client = useQueryClient()
  const [every, setEvery] = useRefreshChoice()
  const [acted, setActed] = useState(0)
  const [asking, setAsking] = useState(false)
  const found = useQuery({ ...actionQuery(id), refetchOnWindowFocus: false })
  const session = useSession()
  const late = useLate(found.isPending)
  const steer = useSteer(id)
  const action = found.data
  usePageTitle(action ? `${kindLook[action.kind].name()} ${t.numberOf(action.id)}` : t.title())

  async function refresh(): Promise<PollOutcome> {
    const before = client.getQueryData<OperatorAction>(actionQuery(id).queryKey)
    const [now] = await Promise.all([client.fetchQuery({ ...actionQuery(id), retry: false }), client.refetchQueries({ queryKey: ['operator-actions', id, 'items'], type: 'active' }, { throwOnError: true })])
    return outcome(before, now)
  }
  const touch = () => setActed(Date.now())
  // With the end of the action its buttons go, and the focus that came back to one of them.
  const over = action !== undefined && action.status !== 1
  useEffect(() => {
    if (over && acted > 0 && document.activeElement === document.body) document.getElementById('title')?.focus({ preventScroll: true })
  }, [over, acted])
  usePoll({ active: session !== null && action !== undefined && (action.status === 1 || action.counts.waiting + action.counts.sent > 0), every, ask: refresh, resetKey: acted })

  if (!action) {
    return (
      <>
        <PageHead title={t.title()} />
        {found.isError ? <Missing error={found.error} onRetry={() => void found.refetch()} /> : null}
        {late ? <Sheet className="grid gap-4 p-5">{['w-1/4', 'w-full', 'w-2/3'].map((width) => <Bone key={width} className={width} />)}</Sheet> : null}
      </>
    )
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible max-sm:pb-20">
      <ActionHead key={action.id} action={action} onAct={touch} onStop={() => setAsking(true)}>
        <Fresh at={found.dataUpdatedAt} every={every} onEvery={setEvery} busy={found.isFetching} onRefresh={() => { touch(); refresh().catch(() => undefined) }} />
      </ActionHead>
      {found.isError ? (
        <div className="mb-3">
          <LoadFailed title={sentence(found.error, t.oneFailed())} requestId={found.error instanceof ApiError ? found.error.requestId : null} onRetry={() => { touch(); void found.refetch() }}>{common.shownFrom(timeOf(found.dataUpdatedAt))}</LoadFailed>
        </div>
      ) : null}
      <PausedBanner action={action} busy={steer.isPending} onResume={() => { touch(); steer.mutate({ act: 'resume' }) }} />
      <Progress action={action} onAct={touch} />
      <Reasons action={action} />
      <ItemList action={action} />
      {action.status === 1 ? (
        <div className="fixed inset-x-0 bottom-0 z-10 hidden border-t border-border-strong bg-background px-3 pt-2.5 pb-3.5 max-sm:grid">
          <Button size="dock" variant="danger" reason={refusal(action, 'stop')} onClick={() => setAsking(true)}><Icon name="stop" />{t.stop()}</Button>
        </div>
      ) : null}
      {asking ? (
        <Piece onLost={() => setAsking(false)}>
          <StopDialog
            action={action}
            busy={steer.isPending}
            onClose={() => setAsking(false)}
            onStop={() => {
              touch()
              steer.mutate({ act: 'stop' }, { onSettled: () => setAsking(false) })
            }}
          />
        </Piece>
      ) : null}
    </div>
  )
}
