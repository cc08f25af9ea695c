// The alerts so far, newest first, page by page.
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
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
import { usePhone } from '@/lib/use-phone'
import { cn } from '@/lib/utils'
import { type Alert, ALERTS_PER_PAGE } from './queries'
import { isPlain, ruleWord, valueWord } from './status'
import { t } from './texts'

const State = ({ alert }: { alert: Alert }) => (alert.recoveredAt ? <Badge tone="ok" icon="ok">{t.history.over()}</Badge> : <Badge tone="err" icon="bell">{t.history.firing()}</Badge>)
const Took = ({ alert }: { alert: Alert }) => (alert.recoveredAt ? <span title={dateTime(alert.recoveredAt)}>{spanWord(Date.parse(alert.recoveredAt) - Date.parse(alert.firedAt))}</span> : <Age at={alert.firedAt} />)
const peakOf = (alert: Alert) => (isPlain(alert.rule.measure) ? '–' : valueWord(alert.rule.measure, alert.peak))
const toldOf = (alert: Alert) => (alert.silenced ? t.history.silenced() : t.history.told())
const See = ({ alert }: { alert: Alert }) => <PathLink path={alert.link} aria-label={`${t.history.see()}: ${ruleWord(alert.rule)}, ${num(alert.id)}`} className="link inline-flex min-h-6 items-center">{t.history.see()}</PathLink>

const columns = (): Column<Alert>[] => {
  const c = t.history.columns
  return [
    { key: 'at', title: c.at(), width: 148, pinned: true, className: 'num text-left!', cell: (alert) => <time dateTime={alert.firedAt}>{dateTime(alert.firedAt)}</time> },
    { key: 'rule', title: c.rule(), hint: (alert) => ruleWord(alert.rule), cell: (alert) => ruleWord(alert.rule) },
    { key: 'state', title: c.state(), width: 116, cell: (alert) => <State alert={alert} /> },
    { key: 'took', title: c.took(), width: 104, numeric: true, cell: (alert) => <Took alert={alert} /> },
    { key: 'peak', title: c.peak(), width: 104, numeric: true, cell: peakOf },
    { key: 'told', title: c.told(), width: 104, className: 'text-muted-foreground', cell: toldOf },
    { key: 'link', title: c.link(), width: 76, cell: (alert) => <See alert={alert} /> },
  ]
}

function Card({ alert }: { alert: Alert }) {
  const c = t.history.columns
  return (
    <li className={cn('grid gap-1 border-t px-3 py-2.5 first:border-t-0', !alert.recoveredAt && 'shadow-[inset_2px_0_0_var(--err-solid)]')}>
      <p className="font-medium">{ruleWord(alert.rule)}</p>
      <div className="flex items-center justify-between gap-2"><State alert={alert} /><See alert={alert} /></div>
      <dl className="num flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {([[c.at(), <time key="at" dateTime={alert.firedAt}>{dateTime(alert.firedAt)}</time>], [c.took(), <Took key="took" alert={alert} />], [c.peak(), peakOf(alert)], [c.told(), toldOf(alert)]] as Array<[string, ReactNode]>).map(([name, value]) => (
          <div key={name} className="flex gap-1"><dt className="text-muted-foreground">{name}</dt><dd>{value}</dd></div>
        ))}
      </dl>
    </li>
  )
}

export function History({ found, page }: { found: UseQueryResult<Dated<Collection<Alert>>>; page: number }) {
  const phone = usePhone()
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
          {phone && rows.length > 0 ? <ul aria-label={t.history.title()} className={cn(stale && 'text-muted-foreground')}>{rows.map((alert) => <Card key={alert.id} alert={alert} />)}</ul> : (
          <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={t.history.title()}>
            <DataTable label={t.history.title()} columns={columns()} rows={rows} rowName={(alert) => num(alert.id)} tone={(alert) => (alert.recoveredAt ? undefined : 'err')} bones={late ? 5 : 0} stale={stale} minWidth={960} />
          </div>
          )}
        </div>
      ) : null}
      {(total ?? 0) > ALERTS_PER_PAGE ? <FootBar><Pager page={page} perPage={ALERTS_PER_PAGE} total={total} shown={rows.length} link={(next) => ({ to: '/alerts', search: next > 1 ? { page: next } : {}, resetScroll: false })} /></FootBar> : null}
    </Part>
  )
}
