// The alerts so far, newest first, page by page.
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Dated } from '@/api/client'
import type { Collection } from '@/api/types'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Pager } from '@/components/data-table/pager'
import { Badge } from '@/components/ui/badge'
import { Empty, LineFailed, Sweep, useLate } from '@/components/ui/feedback'
import { Part } from '@/components/ui/part'
import { PathLink } from '@/components/ui/path-link'
import { FootBar } from '@/components/ui/sheet'
import { Age } from '@/components/ui/span'
import { dateTime, num } from '@/lib/format'
import { spanWord } from '@/lib/span'
import { type Alert, ALERTS_PER_PAGE } from './queries'
import { isPlain, ruleWord, valueWord } from './status'
import { t } from './texts'

const columns = (): Column<Alert>[] => {
  const c = t.history.columns
  return [
    { key: 'at', title: c.at(), width: 148, pinned: true, className: 'num text-left!', cell: (alert) => <time dateTime={alert.firedAt}>{dateTime(alert.firedAt)}</time> },
    { key: 'rule', title: c.rule(), hint: (alert) => ruleWord(alert.rule), cell: (alert) => ruleWord(alert.rule) },
    { key: 'state', title: c.state(), width: 116, cell: (alert) => (alert.recoveredAt ? <Badge tone="ok" icon="ok">{t.history.over()}</Badge> : <Badge tone="err" icon="bell">{t.history.firing()}</Badge>) },
    { key: 'took', title: c.took(), width: 104, numeric: true, cell: (alert) => (alert.recoveredAt ? <span title={dateTime(alert.recoveredAt)}>{spanWord(Date.parse(alert.recoveredAt) - Date.parse(alert.firedAt))}</span> : <Age at={alert.firedAt} />) },
    { key: 'peak', title: c.peak(), width: 104, numeric: true, cell: (alert) => (isPlain(alert.rule.measure) ? '–' : valueWord(alert.rule.measure, alert.peak)) },
    { key: 'told', title: c.told(), width: 104, className: 'text-muted-foreground', cell: (alert) => (alert.silenced ? t.history.silenced() : t.history.told()) },
    { key: 'link', title: c.link(), width: 76, cell: (alert) => <PathLink path={alert.link} aria-label={`${t.history.see()}: ${ruleWord(alert.rule)}, ${num(alert.id)}`} className="link inline-flex min-h-6 items-center">{t.history.see()}</PathLink> },
  ]
}

export function History({ found, page }: { found: UseQueryResult<Dated<Collection<Alert>>>; page: number }) {
  const late = useLate(found.isPending)
  const stale = useLate(found.isPlaceholderData && found.isFetching)
  const rows = found.data?.body.member ?? []
  const total = found.data?.body.totalItems
  const empty = found.data !== undefined && !found.isPlaceholderData && rows.length === 0
  return (
    <Part title={t.history.title()}>
      {found.isError ? <p className="px-3 py-3"><LineFailed title={t.historyFailed()} error={found.error} onRetry={() => void found.refetch()} /></p> : null}
      {empty && page > 1 ? <Empty icon="filter" title={t.history.pastEnd()} act={<Link to="/alerts" className="link">{t.history.toFirst()}</Link>}>{t.history.noneHint()}</Empty> : null}
      {empty && page === 1 ? <Empty icon="bell" title={t.history.none()}>{t.history.noneHint()}</Empty> : null}
      {rows.length > 0 || late ? (
        <div className="relative">
          <Sweep on={stale} />
          <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={t.history.title()}>
            <DataTable label={t.history.title()} columns={columns()} rows={rows} rowName={(alert) => num(alert.id)} tone={(alert) => (alert.recoveredAt ? undefined : 'err')} bones={late ? 5 : 0} stale={stale} minWidth={960} />
          </div>
        </div>
      ) : null}
      {(total ?? 0) > ALERTS_PER_PAGE ? <FootBar><Pager page={page} perPage={ALERTS_PER_PAGE} total={total} shown={rows.length} link={(next) => ({ to: '/alerts', search: next > 1 ? { page: next } : {}, resetScroll: false })} /></FootBar> : null}
    </Part>
  )
}
