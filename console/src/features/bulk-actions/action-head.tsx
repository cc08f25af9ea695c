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
      <Button disabled={busy} onClick={() => onRetry(failed > 0 ? 3 : 5)}>
        <Icon name="retry" />
        {failed > 0 ? t.retryFailed(failed) : t.retryWarnings(warning)}
      </Button>
    )
  }
  return (
    <Menu trigger={<Button disabled={busy}>{label}<Icon name="down" /></Button>}>
      <MenuItem onClick={() => onRetry(3)}>{t.retryFailed(failed)}</MenuItem>
      <MenuItem onClick={() => onRetry(5)}>{t.retryWarnings(warning)}</MenuItem>
      <MenuItem onClick={() => onRetry(null)}>{t.retryBoth(failed + warning)}</MenuItem>
    </Menu>
  )
}

export function ActionHead({ action, filters, busy, onRetry, onCancel, children }: {
  action: BulkAction
  filters: string
  busy: boolean
  onRetry: (status: WorkStatus | null) => void
  onCancel: () => void
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
          <Link to="/bulk_actions" className="link inline-flex min-h-6 items-center">{t.title()}</Link>
          <span>/</span>
          <span title={longDay(isoDay(action.createdAt))}>{dateOf(action.createdAt)}</span>
        </nav>
      }
      meta={<><StatusBadge look={actionLook(action)} box /><span className="text-muted-foreground">{t.numberOf(action.id)}</span></>}
      below={
        <p className="mt-0.5 text-xs text-muted-foreground max-sm:line-clamp-2">
          {t.started(by ? `${by.name} (${roleAndBureau(by.role, by.tenantCode)})` : t.system())} · <Ago at={action.createdAt} />
          {action.retriedBy ? ` · ${t.retriedBy(action.retriedBy.name)}` : ''} · {filters}
        </p>
      }
    >
      {children}
      {mayRetry ? <RetryMenu action={action} busy={busy} onRetry={onRetry} /> : null}
      {running ? (
        <Button variant="danger" className="max-sm:hidden" reason={action.cancelledAt ? t.alreadyCancelled() : refusal(action, 'cancel')} onClick={onCancel}>
          <Icon name="stop" />
          {t.cancel()}
        </Button>
      ) : null}
    </PageHead>
  )
}
