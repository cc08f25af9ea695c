// The crons: what is done by the clock, how it went, when next; rows, or cards on a phone.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { useRows } from '@/components/data-table/use-rows'
import { Ago } from '@/components/ui/ago'
import { Badge } from '@/components/ui/badge'
import { buttonVariants } from '@/components/ui/button'
import { Empty, useLate } from '@/components/ui/feedback'
import { Fresh } from '@/components/ui/fresh'
import { Failed, isForbidden, NoRight } from '@/components/ui/page-frame'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { Until } from '@/components/ui/span'
import { useBarred, useOversees } from '@/features/auth/queries'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { lastingWord } from '@/lib/span'
import { useFollow } from '@/lib/use-follow'
import { useNow } from '@/lib/use-now'
import { usePhone } from '@/lib/use-phone'
import { cn } from '@/lib/utils'
import { PutBack, RunNow } from './acts'
import { type Cron, cronsQuery } from './list'
import { scheduleWord } from './schedule'
import { cronWord, edgeOf, lastedMs, looksOf, outcomeOf } from './status'
import { t } from './texts'

const quiet = <span className="text-muted-foreground">–</span>
const note = 'block truncate text-xs leading-4 text-muted-foreground'

function Name({ cron }: { cron: Cron }) {
  return (
    <>
      <Link to="/crons/$id" params={{ id: String(cron.id) }} className="link inline-flex min-h-6 items-center font-medium decoration-transparent">{cronWord(cron.name)}</Link>
      <span className="-mt-1 block text-xs text-muted-foreground">{cron.name}</span>
    </>
  )
}

/** The loudest as a badge; the rest, or why, in the line under it. */
function noteOf(cron: Cron): string {
  const [first, ...rest] = looksOf(cron)
  return [first?.note, ...rest.map((look) => look.word().toLowerCase())].filter(Boolean).join(' · ')
}

function State({ cron }: { cron: Cron }) {
  const [look] = looksOf(cron)
  const said = noteOf(cron)
  if (!look) return null
  return (
    <>
      <Badge tone={look.tone} icon={look.icon} className="h-[18px]">{look.word()}</Badge>
      {said ? <span className={note} title={said}>{said}</span> : null}
    </>
  )
}

function Last({ cron }: { cron: Cron }) {
  if (!cron.last) return <span className="text-muted-foreground">{t.never()}</span>
  const look = outcomeOf(cron.last)
  return (
    <>
      <Badge tone={look.tone} icon={look.icon} className="h-[18px]">{look.word()}</Badge>
      <span className={note}><Ago at={cron.last.fired_at} />{cron.last.ordered_by ? ` · ${t.byHand()}` : ''}</span>
    </>
  )
}

function Took({ cron }: { cron: Cron }) {
  const now = useNow(cron.last?.outcome === 'running')
  const ms = cron.last ? lastedMs(cron.last, now) : null
  return ms === null ? quiet : lastingWord(ms)
}

function Next({ cron }: { cron: Cron }) {
  const [next] = cron.next
  if (!next) return <span className="text-muted-foreground">{cron.disabled ? t.off() : '–'}</span>
  return <Until at={next} />
}

function Acts({ cron }: { cron: Cron }) {
  return (
    <span className="flex items-center justify-end gap-1">
      <PutBack cron={cron} className="h-6 px-2 text-xs" />
      <RunNow cron={cron} small />
    </span>
  )
}

const columns = (): Column<Cron>[] => {
  const c = t.columns
  return [
    { key: 'name', title: c.name(), width: 240, cell: (cron) => <Name cron={cron} /> },
    { key: 'schedule', title: c.schedule(), width: 180, hint: (cron) => cron.schedule, cell: (cron) => scheduleWord(cron.schedule) },
    { key: 'state', title: c.state(), cell: (cron) => <State cron={cron} /> },
    { key: 'last', title: c.last(), width: 190, cell: (cron) => <Last cron={cron} /> },
    { key: 'took', title: c.took(), width: 84, numeric: true, cell: (cron) => <Took cron={cron} /> },
    { key: 'next', title: c.next(), width: 150, numeric: true, cell: (cron) => <Next cron={cron} /> },
    { key: 'acts', title: c.acts(), silent: true, width: 168, cell: (cron) => <Acts cron={cron} /> },
  ]
}

function Card({ cron }: { cron: Cron }) {
  const edge = edgeOf(cron)
  return (
    <li className={cn('grid gap-2 border-t px-3 py-2.5 first:border-t-0', edge === 'err' && 'shadow-[inset_2px_0_0_var(--err-solid)]', edge === 'warn' && 'shadow-[inset_2px_0_0_var(--warn-solid)]')}>
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0"><Name cron={cron} /></div>
        <Acts cron={cron} />
      </div>
      <div className="min-w-0"><State cron={cron} /></div>
      <dl className="num flex flex-wrap gap-x-4 gap-y-1 text-xs">
        <div className="flex gap-1"><dt className="text-muted-foreground">{t.columns.schedule()}</dt><dd title={cron.schedule}>{scheduleWord(cron.schedule)}</dd></div>
        <div className="flex gap-1"><dt className="text-muted-foreground">{t.columns.next()}</dt><dd><Next cron={cron} /></dd></div>
        <div className="flex gap-1"><dt className="text-muted-foreground">{t.columns.last()}</dt><dd>{cron.last ? <>{outcomeOf(cron.last).word().toLowerCase()}, <Ago at={cron.last.fired_at} />, <Took cron={cron} /></> : t.never()}</dd></div>
      </dl>
    </li>
  )
}

export function CronsPage() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const oversees = useOversees()
  const phone = usePhone()
  const [every, setEvery] = useSteadyRefresh()
  const barred = useBarred()
  const found = useQuery({ ...cronsQuery, enabled: oversees, refetchOnWindowFocus: false })
  const late = useLate(found.isPending)
  const { refresh } = useFollow(every, async () => { if (oversees) await client.fetchQuery({ ...cronsQuery, retry: false }) })
  const crons = found.data?.body.items
  const forbidden = isForbidden(found) || barred
  const toQueues = <Link to="/queues" className={buttonVariants({})}>{t.toQueues()}</Link>
  const { here, setHere } = useRows(crons ?? [], { onOpen: (cron) => void navigate({ to: '/crons/$id', params: { id: String(cron.id) } }) })

  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible">
      <PageHead title={t.title()} meta={crons && crons.length > 0 ? <span className="text-muted-foreground max-sm:text-xs">{t.meta(crons.length)}</span> : null}>
        {forbidden ? null : <Fresh at={found.data?.at ?? 0} every={every} choices={STEADY} onEvery={setEvery} busy={found.isFetching} onRefresh={refresh} />}
      </PageHead>
      <Failed of={found} title={t.loadFailed()} onRetry={refresh} />
      {forbidden ? <NoRight act={toQueues}>{t.noRightHint()}</NoRight> : null}
      {crons?.length === 0 && !forbidden ? <Sheet><Empty icon="calendar" title={t.none()} act={toQueues}>{t.noneHint()}</Empty></Sheet> : null}
      {!forbidden && (late || (crons && crons.length > 0)) ? (
        <Sheet className="flex-none overflow-hidden" aria-label={t.title()}>
          {phone && crons ? <ul aria-label={t.title()}>{crons.map((cron) => <Card key={cron.id} cron={cron} />)}</ul> : (
            <div className="overflow-x-auto [--row:48px] [&_td]:leading-[18px]" tabIndex={0} role="region" aria-label={t.title()}>
              <DataTable label={t.title()} columns={columns()} rows={crons ?? []} rowName={(cron) => cronWord(cron.name)} tone={edgeOf} here={here} onHere={setHere} bones={late ? 5 : 0} minWidth={1100} />
            </div>
          )}
        </Sheet>
      ) : null}
    </div>
  )
}
