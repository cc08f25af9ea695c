// The history of bulk actions, newest day first.
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, sentence } from '@/api/errors'
import type { BulkAction, BulkDay } from '@/api/types'
import { Pager } from '@/components/data-table/pager'
import { Button } from '@/components/ui/button'
import { Bone, Empty, LoadFailed, Sweep, useLate } from '@/components/ui/feedback'
import { Parts } from '@/components/ui/progress'
import { FootBar, PageHead, Sheet } from '@/components/ui/sheet'
import { common } from '@/lib/common'
import { duration, longDay, num, percent, timeOf } from '@/lib/format'
import { usePhone } from '@/lib/use-phone'
import { DAYS_PER_PAGE, dayQuery, daysQuery } from './queries'
import { ActionLine, actionLook, CountMarks, ended, partsOf, StatusBadge, typeWord } from './status'
import { t } from './texts'

function Head() {
  return (
    <thead>
      <tr>
        <th className="w-[27%]">{t.columns.type()}</th>
        <th className="w-36">{t.columns.state()}</th>
        <th>{t.columns.progress()}</th>
        <th className="w-52">{t.columns.by()}</th>
        <th className="num w-24">{t.columns.at()}</th>
        <th className="num w-24">{t.columns.took()}</th>
      </tr>
    </thead>
  )
}

function Row({ action }: { action: BulkAction }) {
  const done = ended(action.counts)
  const tone = action.status === 3 ? 'err' : action.status === 5 ? 'warn' : undefined
  return (
    <tr data-row data-tone={tone}>
      <td>
        <Link to="/bulk_actions/$id" params={{ id: String(action.id) }} className="link inline-flex min-h-6 items-center font-medium">{typeWord[action.type]()}</Link>
        <span className="ml-2 text-xs text-muted-foreground">{t.numberOf(action.id)}</span>
      </td>
      <td><StatusBadge look={actionLook(action)} /></td>
      <td>
        <span className="flex items-center gap-3">
          <span className="w-24 flex-none"><Parts thin label={`${typeWord[action.type]()}, ${t.numberOf(action.id)}`} parts={partsOf(action.counts)} done={done} total={action.counts.total} /></span>
          <span className="text-xs text-muted-foreground">
            {action.status === 1 ? `${percent(done, action.counts.total)} · ` : ''}
            <b className="font-medium text-foreground">{num(action.counts.total)}</b>
          </span>
          <CountMarks counts={action.counts} of={['failed', 'warning']} />
        </span>
      </td>
      <td className="text-muted-foreground">{action.createdBy ? `${action.createdBy.name} · ${action.createdBy.tenantCode}` : t.system()}</td>
      <td className="num text-muted-foreground">{timeOf(action.createdAt)}</td>
      <td className="num text-muted-foreground">{action.startedAt && action.finishedAt ? duration(action.startedAt, action.finishedAt) : '–'}</td>
    </tr>
  )
}

/** A day: its newest actions, and the rest on demand. */
function Day({ day }: { day: BulkDay }) {
  const [pages, setPages] = useState(1)
  const further = useQueries({ queries: Array.from({ length: pages - 1 }, (_, index) => dayQuery(day.date, index + 2)) })
  const phone = usePhone()
  const known = new Set(day.member.map((action) => action.id))
  const shown = [...day.member, ...further.flatMap((found) => found.data?.member ?? []).filter((action) => !known.has(action.id))]
  const rest = day.totalItems - shown.length
  const lost = further.find((found) => found.isError)

  return (
    <section aria-labelledby={`day-${day.date}`} className="border-b [contain-intrinsic-size:auto_600px] [content-visibility:auto] last:border-b-0">
      <h2 id={`day-${day.date}`} className="flex items-baseline gap-2 px-3 pt-4 pb-1">
        {longDay(day.date)}
        <span className="text-xs font-normal tracking-normal text-muted-foreground">{t.perDay(day.totalItems)}</span>
      </h2>
      {phone ? <ul className="border-t">{shown.map((action) => <ActionLine key={action.id} action={action} />)}</ul> : (
      <table className="tbl min-w-[1060px] [&_tbody_tr:last-child_td]:border-b-transparent">
        <Head />
        <tbody>{shown.map((action) => <Row key={action.id} action={action} />)}</tbody>
      </table>
      )}
      {lost ? <div className="p-3"><LoadFailed title={sentence(lost.error, t.loadFailed())} requestId={lost.error instanceof ApiError ? lost.error.requestId : null} onRetry={() => void lost.refetch()} /></div> : null}
      {rest > 0 && !lost ? <p className="px-3 py-2"><Button disabled={further.some((found) => found.isPending)} onClick={() => setPages(pages + 1)}>{t.moreOfDay(rest)}</Button></p> : null}
    </section>
  )
}

export function HistoryPage() {
  const { page = 1 } = useSearch({ from: '/_app/bulk_actions/' })
  const days = useQuery({ ...daysQuery(page), placeholderData: keepPreviousData })
  const late = useLate(days.isPending)
  const total = days.data?.totalItems ?? 0
  const forbidden = days.error instanceof ApiError && days.error.status === 403
  return (
    <>
      <PageHead title={t.title()} />
      <Sheet fill>
        {days.isError && !forbidden ? (
          <div className="p-3">
            <LoadFailed title={sentence(days.error, t.loadFailed())} requestId={days.error instanceof ApiError ? days.error.requestId : null} onRetry={() => void days.refetch()}>
              {days.data ? common.shownFrom(timeOf(days.dataUpdatedAt)) : null}
            </LoadFailed>
          </div>
        ) : null}
        <div className="relative min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={t.title()}>
          <Sweep on={days.isFetching && days.isPlaceholderData} />
          {late ? <div className="grid gap-6 p-4">{['w-1/4', 'w-2/3', 'w-1/2', 'w-3/5'].map((width) => <Bone key={width} className={width} />)}</div> : null}
          {forbidden ? <Empty icon="lock" title={t.noRight()}>{t.noRightHint()}</Empty> : null}
          {forbidden ? null : days.data?.member.map((day) => <Day key={day.date} day={day} />)}
          {days.data && total === 0 && !forbidden ? (
            <Empty icon="layers" title={t.none()} act={<Link to="/case_list" className="link">{t.openCases()}</Link>}>{t.noneHint()}</Empty>
          ) : null}
        </div>
        {total > DAYS_PER_PAGE ? (
          <FootBar>
            <Pager page={page} perPage={DAYS_PER_PAGE} total={total} unit={t.days()} link={(next) => ({ to: '/bulk_actions', search: next > 1 ? { page: next } : {} })} />
          </FootBar>
        ) : null}
      </Sheet>
    </>
  )
}
