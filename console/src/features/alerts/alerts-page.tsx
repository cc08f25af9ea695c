// Alerts: what is firing, the rules, and what has fired so far.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { Button, buttonVariants } from '@/components/ui/button'
import { Bone, Empty, LineFailed, useLate } from '@/components/ui/feedback'
import { Fresh } from '@/components/ui/fresh'
import { Icon } from '@/components/ui/icons'
import { Failed, isForbidden, NoRight } from '@/components/ui/page-frame'
import { Part } from '@/components/ui/part'
import { Piece } from '@/components/ui/piece'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { useBarred } from '@/features/auth/queries'
import { cronsQuery } from '@/features/crons/list'
import { t as ofCrons } from '@/features/crons/texts'
import { useCronsToo } from '@/features/operations/queries'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { useFollow } from '@/lib/use-follow'
import { unevaluated } from './evaluation'
import { Firing, Stopped } from './firing'
import { firingQuery } from './firing-count'
import { History } from './history'
import { type AlertRule, historyQuery, rulesQuery } from './queries'
import { RuleList } from './rule-list'
import { t } from './texts'

const RuleDialog = lazy(() => import('./rule-dialog'))
const DeleteDialog = lazy(() => import('./delete-dialog'))

type Opened = { kind: 'edit'; rule: AlertRule | null } | { kind: 'delete'; rule: AlertRule }

/** The room of the quiet line and of the first rules. */
function Waiting({ late }: { late: boolean }) {
  return (
    <div aria-hidden="true" className="grid min-h-[340px] flex-none content-start gap-3">
      {late ? (
        <>
          <Sheet className="flex h-[42px] items-center px-3"><Bone className="w-1/4" /></Sheet>
          <Sheet className="grid gap-6 p-4">{['w-1/4', 'w-full', 'w-2/3', 'w-full', 'w-1/2'].map((width, index) => <Bone key={index} className={width} />)}</Sheet>
        </>
      ) : null}
    </div>
  )
}

export function AlertsPage() {
  const { page = 1 } = useSearch({ from: '/_app/alerts' })
  const client = useQueryClient()
  const [every, setEvery] = useSteadyRefresh()
  const [opened, setOpened] = useState<Opened | null>(null)
  const { oversees, crons, found: clock } = useCronsToo()
  const barred = useBarred()
  const asked = { enabled: oversees, refetchOnWindowFocus: false }
  const firing = useQuery({ ...firingQuery, ...asked })
  const rules = useQuery({ ...rulesQuery, ...asked })
  const history = useQuery({ ...historyQuery(page), ...asked })
  const stopped = crons ? unevaluated(crons) : null
  // What stands above another part is known before that is shown, so that nothing moves under the pointer.
  const settled = !firing.isPending && !rules.isPending && !clock.isPending
  const late = useLate(!settled)
  const { refresh } = useFollow(every, async () => {
    if (!oversees) return
    await Promise.all([client.fetchQuery({ ...firingQuery, retry: false }), client.fetchQuery({ ...rulesQuery, retry: false }), client.fetchQuery({ ...historyQuery(page), retry: false }), client.fetchQuery({ ...cronsQuery, retry: false })])
  })
  const forbidden = isForbidden(rules) || barred
  const [now, all] = [firing.data?.body.member, rules.data?.body.member]
  const close = () => setOpened(null)

  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible">
      <PageHead title={t.title()} meta={now && all ? <span className="text-muted-foreground max-sm:text-xs">{t.meta(now.length, all.length)}</span> : forbidden ? null : <span className="max-sm:text-xs">{'\u00a0'}</span>}>
        {forbidden ? null : (
          <>
            <Fresh at={firing.data?.at ?? 0} every={every} choices={STEADY} onEvery={setEvery} busy={firing.isFetching} onRefresh={refresh} />
            <Button variant="primary" className="max-sm:h-10" onClick={() => setOpened({ kind: 'edit', rule: null })}><Icon name="plus" />{t.rules.add()}</Button>
          </>
        )}
      </PageHead>
      <Failed of={firing} title={t.loadFailed()} onRetry={refresh} />
      {forbidden ? <NoRight act={<Link to="/queues" className={buttonVariants({})}>{t.toQueues()}</Link>}>{t.noRightHint()}</NoRight> : null}
      {forbidden || settled ? null : <Waiting late={late} />}
      {settled && !forbidden ? (
        <>
          {firing.isError ? null : <Failed of={clock} title={ofCrons.loadFailed()} onRetry={refresh} />}
          {stopped ? <Stopped of={stopped} /> : null}
          {now ? <Firing alerts={now} rules={all ?? []} quiet={crons !== undefined && stopped === null} /> : null}
          <div className="grid flex-none gap-3">
            <Part title={t.rules.title()}>
              {rules.isError ? <p className="px-3 py-3"><LineFailed title={t.rulesFailed()} error={rules.error} onRetry={() => void rules.refetch()} /></p> : null}
              {all?.length === 0 ? <Empty icon="bell" title={t.rules.none()}>{t.rules.noneHint()}</Empty> : null}
              {all && all.length > 0 ? <RuleList rules={all} stopped={stopped} onEdit={(rule) => setOpened({ kind: 'edit', rule })} onDelete={(rule) => setOpened({ kind: 'delete', rule })} /> : null}
            </Part>
            <History found={history} page={page} />
          </div>
        </>
      ) : null}
      {opened?.kind === 'edit' ? <Piece onLost={close}><RuleDialog of={opened.rule} onClose={close} /></Piece> : null}
      {opened?.kind === 'delete' ? <Piece onLost={close}><DeleteDialog rule={opened.rule} onClose={close} /></Piece> : null}
    </div>
  )
}
