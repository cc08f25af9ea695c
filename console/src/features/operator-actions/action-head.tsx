// The head of an operator action's page: what, who, when, over which jobs, and its steering.
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { OperatorAction } from '@/api/operations'
import { Ago } from '@/components/ui/ago'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { PageHead } from '@/components/ui/sheet'
import { roleAndBureau } from '@/features/auth/status'
import { filterSaid } from '@/features/jobs/queries'
import { refusal } from '@/lib/allowed'
import { dateOf, isoDay, longDay } from '@/lib/format'
import { useChild, useSteer } from './queries'
import { actionLook, LookBadge } from './status'
import { kindLook, t } from './texts'
import { UndoneButton } from './undone-button'

function ChildButton({ action }: { action: OperatorAction }) {
  const navigate = useNavigate()
  const child = useChild(action.id)
  // A second click before the answer is the first one's echo; the next follow-up gets a key of its own.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const { failed } = action.counts
  if (failed === 0 || action.status === 1) return null
  return (
    <Button
      className="max-sm:h-10"
      reason={refusal(action, 'child')}
      disabled={child.isPending}
      onClick={() => child.mutate(key, {
        onSuccess: (made) => {
          setKey(crypto.randomUUID())
          void navigate({ to: '/operator_actions/$id', params: { id: String(made.id) } })
        },
      })}
    >
      <Icon name="retry" />
      {t.child(failed)}
    </Button>
  )
}

export function ActionHead({ action, onAct, onStop, children }: { action: OperatorAction; onAct: () => void; onStop: () => void; children: React.ReactNode }) {
  const by = action.createdBy
  const running = action.status === 1
  const steer = useSteer(action.id)
  const act = (name: 'pause' | 'resume') => {
    onAct()
    steer.mutate({ act: name })
  }
  const turn = action.pausedAt ? ('resume' as const) : ('pause' as const)
  return (
    <PageHead
      title={kindLook[action.kind].name()}
      crumbs={
        <nav aria-label={t.crumbs()} className="flex items-center gap-1.5 text-xs text-muted-foreground">
          <Link to="/operator_actions" activeOptions={{ exact: true }} className="link inline-flex min-h-6 items-center">{t.title()}</Link>
          <span>/</span>
          <span title={longDay(isoDay(action.createdAt))}>{dateOf(action.createdAt)}</span>
        </nav>
      }
      meta={<><LookBadge look={actionLook(action)} box /><span className="text-muted-foreground">{t.numberOf(action.id)}</span></>}
      below={
        <div className="mt-0.5 grid gap-0.5 text-xs text-muted-foreground">
          <p>
            {t.started(`${by.name} (${roleAndBureau(by.role, by.tenantCode)})`)} · <Ago at={action.createdAt} /> · {filterSaid(action.filter)} · <Link to="/jobs" search={action.filter} className="link inline-flex min-h-6 items-center">{t.showSet()}</Link>
            {action.stoppedBy ? ` · ${t.stoppedBy(action.stoppedBy.name)}` : ''}
          </p>
          {action.reason ? <p>{t.reason()}: <b className="font-medium text-foreground">{action.reason}</b></p> : null}
          {action.parent !== null ? <p><Link to="/operator_actions/$id" params={{ id: String(action.parent) }} className="link inline-flex min-h-6 items-center">{t.childOf(action.parent)}</Link></p> : null}
          {action.children.length > 0 ? (
            <p className="flex flex-wrap items-center gap-2">
              {t.children()}: {action.children.map((id) => <Link key={id} to="/operator_actions/$id" params={{ id: String(id) }} className="link inline-flex min-h-6 items-center">{t.numberOf(id)}</Link>)}
            </p>
          ) : null}
        </div>
      }
    >
      {children}
      <UndoneButton action={action} />
      <ChildButton action={action} />
      {running ? (
        <>
          <Button className="max-sm:h-10" reason={refusal(action, turn)} disabled={steer.isPending} onClick={() => act(turn)}><Icon name={turn === 'pause' ? 'pause' : 'play'} />{turn === 'pause' ? t.pause() : t.resume()}</Button>
          <Button variant="danger" className="max-sm:hidden" reason={refusal(action, 'stop')} onClick={onStop}><Icon name="stop" />{t.stop()}</Button>
        </>
      ) : null}
    </PageHead>
  )
}
