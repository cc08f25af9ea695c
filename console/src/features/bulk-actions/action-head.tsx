// The head of an action's page: what, who, when, over which cases, and the acts on the whole.
import { Link } from '@tanstack/react-router'
import type { BulkAction, WorkStatus } from '@/api/types'
import { Ago } from '@/components/ui/ago'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { Menu, MenuItem } from '@/components/ui/menu'
import { PageHead } from '@/components/ui/sheet'
import { roleAndBureau } from '@/features/auth/status'
import { refusal } from '@/lib/allowed'
import { dateOf, isoDay, longDay } from '@/lib/format'
import { actionLook, StatusBadge, typeWord } from './status'
import { t } from './texts'

function RetryMenu({ action, busy, onRetry }: { action: BulkAction; busy: boolean; onRetry: (status: WorkStatus | null) => void }) {
  const { failed, warning } = action.counts
  const label = <><Icon name="retry" />{t.retry()}</>
  const reason = refusal(action, 'retry')
  if (reason !== null) return <Button reason={reason}>{label}</Button>
  if (failed === 0 || warning === 0) {
    return (
      <Button className="max-sm:h-10" disabled={busy} onClick={() => onRetry(failed > 0 ? 3 : 5)}>
        <Icon name="retry" />
        {failed > 0 ? t.retryFailed(failed) : t.retryWarnings(warning)}
      </Button>
    )
  }
  return (
    <Menu trigger={<Button className="max-sm:h-10" disabled={busy}>{label}<Icon name="down" /></Button>}>
      <MenuItem onClick={() => onRetry(3)}>{t.retryFailed(failed)}</MenuItem>
      <MenuItem onClick={() => onRetry(5)}>{t.retryWarnings(warning)}</MenuItem>
      <MenuItem onClick={() => onRetry(null)}>{t.retryBoth(failed + warning)}</MenuItem>
    </Menu>
  )
}

/** Links to the action that this one continues, and to those that continue it. */
function Family({ action }: { action: BulkAction }) {
  const link = (id: number) => <Link key={id} to="/bulk_actions/$id" params={{ id: String(id) }} className="link inline-flex min-h-6 items-center">{t.numberOf(id)}</Link>
  const children = action.children ?? []
  return (
    <>
      {action.parent ? <> · {t.parent()} {link(action.parent)}</> : null}
      {children.length > 0 ? <> · {t.children()} {children.map((id, index) => <span key={id}>{index > 0 ? ', ' : ''}{link(id)}</span>)}</> : null}
    </>
  )
}

/** The child of the failed ones, where the server knows of it. */
function MoreMenu({ action, onChild }: { action: BulkAction; onChild: () => void }) {
  if (action.status === 1 || !action.allowedActions.some((one) => one.name === 'child')) return null
  const reason = refusal(action, 'child')
  return (
    <Menu trigger={<Button size="icon" className="max-sm:size-10" aria-label={t.more()} title={t.more()}><Icon name="more" /></Button>}>
      <MenuItem icon={<Icon name="retry" />} disabled={reason !== null} hint={reason ?? undefined} onClick={onChild}>{t.child()}</MenuItem>
    </Menu>
  )
}

export function ActionHead({ action, filters, busy, onRetry, onCancel, onPause, onChild, children }: {
  action: BulkAction
  filters: string
  busy: boolean
  onRetry: (status: WorkStatus | null) => void
  onCancel: () => void
  onPause: () => void
  onChild: () => void
  children: React.ReactNode
}) {
  const by = action.createdBy
  const running = action.status === 1
  const mayRetry = !running && action.status !== 4 && !action.cancelledAt && action.counts.failed + action.counts.warning > 0
  return (
    <PageHead
      title={typeWord[action.type]()}
      crumbs={
        <nav aria-label={t.crumbs()} className="flex items-center gap-1.5 text-xs text-muted-foreground">
          <Link to="/bulk_actions" activeOptions={{ exact: true }} className="link inline-flex min-h-6 items-center">{t.title()}</Link>
          <span>/</span>
          <span title={longDay(isoDay(action.createdAt))}>{dateOf(action.createdAt)}</span>
        </nav>
      }
      meta={<><StatusBadge look={actionLook(action)} box /><span className="text-muted-foreground">{t.numberOf(action.id)}</span></>}
      below={
        <p className="mt-0.5 text-xs text-muted-foreground max-sm:line-clamp-2">
          {t.started(by ? `${by.name} (${roleAndBureau(by.role, by.tenantCode)})` : t.system())} · <Ago at={action.createdAt} />
          {action.retriedBy ? ` · ${t.retriedBy(action.retriedBy.name)}` : ''} · {filters}<Family action={action} />
        </p>
      }
    >
      {children}
      {mayRetry ? <RetryMenu action={action} busy={busy} onRetry={onRetry} /> : null}
      <MoreMenu action={action} onChild={onChild} />
      {running && !action.pausedAt ? (
        <Button id="pause" className="max-sm:hidden" disabled={busy} reason={refusal(action, 'pause')} onClick={onPause}>
          <Icon name="pause" />
          {t.pauseDo()}
        </Button>
      ) : null}
      {running ? (
        <Button variant="danger" className="max-sm:hidden" reason={action.cancelledAt ? t.alreadyCancelled() : refusal(action, 'cancel')} onClick={onCancel}>
          <Icon name="stop" />
          {t.cancel()}
        </Button>
      ) : null}
    </PageHead>
  )
}
