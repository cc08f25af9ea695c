// One bulk action: progress, its tasks by state, what can be done with them; followed by polling while anything moves.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, useEffect, useState } from 'react'
import { ApiError, sentence } from '@/api/errors'
import { useSession } from '@/api/session'
import type { BulkAction } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Bone, Empty, LoadFailed, useLate } from '@/components/ui/feedback'
import { Fresh } from '@/components/ui/fresh'
import { Icon } from '@/components/ui/icons'
import { Piece } from '@/components/ui/piece'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { useFilterWords } from '@/features/cases/queries'
import { common } from '@/lib/common'
import { refusal } from '@/lib/allowed'
import { timeOf } from '@/lib/format'
import type { PollOutcome } from '@/lib/poll'
import { useRefreshChoice } from '@/lib/refresh-choice'
import { usePageTitle } from '@/lib/title'
import { useIdempotencyKeys } from '@/lib/use-idempotency-keys'
import { usePoll } from '@/lib/use-poll'
import { useCancelAction, useChildAction, usePauseAction, useResumeAction, useRetryAction } from './acts'
import { ActionHead } from './action-head'
import { Progress } from './progress'
import { PausedBanner } from './paused-banner'
import { actionQuery } from './queries'
import { TaskList } from './task-list'
import { t, typeWord } from './texts'

const CancelDialog = lazy(() => import('./act-dialogs').then((module) => ({ default: module.CancelDialog })))

function outcome(before: BulkAction | undefined, now: BulkAction): PollOutcome {
  if (before?.status !== now.status) return 'status'
  return JSON.stringify(before.counts) === JSON.stringify(now.counts) ? 'unchanged' : 'counts'
}

function Missing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Sheet>
        <Empty icon="layers" title={t.notFound()} act={<Link to="/bulk_actions" className="link">{t.toHistory()}</Link>}>{t.notFoundHint()}</Empty>
      </Sheet>
    )
  }
  return <LoadFailed title={sentence(error, t.oneFailed())} requestId={error instanceof ApiError ? error.requestId : null} onRetry={onRetry} />
}

export function ActionPage() {
  const id = Number(useParams({ from: '/_app/bulk_actions/$id' }).id)
  const client = useQueryClient()
  const [every, setEvery] = useRefreshChoice()
  const [acted, setActed] = useState(0)
  const [asking, setAsking] = useState(false)
  const touch = () => setActed(Date.now())
  const found = useQuery({ ...actionQuery(id), refetchOnWindowFocus: false })
  const session = useSession()
  const late = useLate(found.isPending)
  const action = found.data
  const filters = useFilterWords(action?.filters ?? {})
  usePageTitle(action ? `${typeWord[action.type]()} ${t.numberOf(action.id)}` : t.title())
  const retry = useRetryAction(id)
  const cancel = useCancelAction(id)
  const resume = useResumeAction(id)
  const pause = usePauseAction(id, () => { touch(); resume.mutate(undefined) })
  const child = useChildAction(id)
  const keyOf = useIdempotencyKeys()
  const navigate = useNavigate()

  async function refresh(): Promise<PollOutcome> {
    const before = client.getQueryData<BulkAction>(actionQuery(id).queryKey)
    const [now] = await Promise.all([client.fetchQuery({ ...actionQuery(id), retry: false }), client.refetchQueries({ queryKey: ['bulk-actions', id, 'tasks'], type: 'active' }, { throwOnError: true })])
    const came = outcome(before, now)
    // The menu's count and the history follow an action that has ended.
    if (came === 'status') void client.invalidateQueries({ queryKey: ['bulk-actions', 'days'] })
    return came
  }
  // With the end of the action or a pause the pressed button goes: the focus moves on to the act that undoes it, or to the heading.
  const over = action !== undefined && action.status !== 1
  const paused = Boolean(action?.pausedAt)
  useEffect(() => {
    if (acted === 0 || document.activeElement !== document.body) return
    const next = over ? null : [...document.querySelectorAll<HTMLElement>(paused ? '#resume' : '#pause')].find((one) => one.checkVisibility())
    ;(next ?? document.getElementById('title'))?.focus({ preventScroll: true })
  }, [over, paused, acted])
  usePoll({
    active: session !== null && action !== undefined && (action.status === 1 || action.counts.queued + action.counts.running > 0),
    every,
    ask: refresh,
    resetKey: acted,
  })

  if (!action) {
    return (
      <>
        <PageHead title={t.title()} />
        {found.isError ? <Missing error={found.error} onRetry={() => void found.refetch()} /> : null}
        {late ? <Sheet className="grid gap-4 p-5">{['w-1/4', 'w-full', 'w-2/3'].map((width) => <Bone key={width} className={width} />)}</Sheet> : null}
      </>
    )
  }
  const cancelReason = action.cancelledAt ? t.alreadyCancelled() : refusal(action, 'cancel')
  const onPause = () => {
    touch()
    pause.mutate()
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible max-sm:pb-20">
      <ActionHead
        action={action}
        filters={action.filters ? filters : t.noCasesYet()}
        busy={retry.isPending || pause.isPending}
        onRetry={(status) => {
          touch()
          retry.mutate(status)
        }}
        onCancel={() => setAsking(true)}
        onPause={onPause}
        onChild={() => {
          // A second press is the first one's echo; after another retry it is an order of its own.
          child.mutate(keyOf('child', [id, action.version]), { onSuccess: (made) => void navigate({ to: '/bulk_actions/$id', params: { id: String(made.id) } }) })
        }}
      >
        <Fresh at={found.dataUpdatedAt} every={every} onEvery={setEvery} busy={found.isFetching} onRefresh={() => { touch(); refresh().catch(() => undefined) }} />
      </ActionHead>
      {found.isError ? (
        <div className="mb-3">
          <LoadFailed title={sentence(found.error, t.oneFailed())} requestId={found.error instanceof ApiError ? found.error.requestId : null} onRetry={() => { touch(); void found.refetch() }}>{common.shownFrom(timeOf(found.dataUpdatedAt))}</LoadFailed>
        </div>
      ) : null}
      <PausedBanner action={action} onAct={touch} />
      <Progress action={action} onAct={touch} />
      <TaskList action={action} actedAt={acted} onAct={touch} />
      {action.status === 1 ? (
        <div className="fixed inset-x-0 bottom-0 z-10 hidden border-t border-border-strong bg-background px-3 pt-2.5 pb-3.5 max-sm:grid max-sm:auto-cols-fr max-sm:grid-flow-col max-sm:gap-2">
          {paused ? null : (
            <Button size="dock" disabled={pause.isPending} reason={refusal(action, 'pause')} onClick={onPause}>
              <Icon name="pause" />
              {t.pauseDo()}
            </Button>
          )}
          <Button size="dock" variant="danger" reason={cancelReason} onClick={() => setAsking(true)}>
            <Icon name="stop" />
            {t.cancel()}
          </Button>
        </div>
      ) : null}
      {asking ? (
        <Piece onLost={() => setAsking(false)}>
          <CancelDialog
            action={action}
            busy={cancel.isPending}
            onClose={() => setAsking(false)}
            onCancel={() => {
              touch()
              cancel.mutate(undefined, { onSettled: () => setAsking(false) })
            }}
          />
        </Piece>
      ) : null}
    </div>
  )
}
