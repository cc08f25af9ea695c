// One cron: how it stands and why, when it runs next, how it went lately.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/errors'
import { Badge } from '@/components/ui/badge'
import { Button, buttonVariants } from '@/components/ui/button'
import { Banner, Bone, Empty, useLate } from '@/components/ui/feedback'
import { Facts } from '@/components/ui/figures'
import { Fresh } from '@/components/ui/fresh'
import { Icon } from '@/components/ui/icons'
import { Failed, isForbidden, NoRight } from '@/components/ui/page-frame'
import { Part } from '@/components/ui/part'
import { Piece } from '@/components/ui/piece'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { Until } from '@/components/ui/span'
import { useBarred, useOversees } from '@/features/auth/queries'
import { kindWord, queueWord } from '@/features/jobs/status'
import { isQueue } from '@/features/operations/search'
import { refusal } from '@/lib/allowed'
import { day, hourMinute, isoDay, longDay, whenMinute, whenShort } from '@/lib/format'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { usePageTitle } from '@/lib/title'
import { useFollow } from '@/lib/use-follow'
import { useNow } from '@/lib/use-now'
import { PutBack, RunNow } from './acts'
import { Firings } from './firings'
import { type CronDetail, cronQuery } from './queries'
import { scheduleWord } from './schedule'
import { cronWord, looksOf } from './status'
import { t } from './texts'
import { upcomingOf } from './upcoming'

const DisableDialog = lazy(() => import('./disable-dialog'))

/** The button that stands where a cron was switched off. */
const PUT_BACK = 'put-back'

const strong = 'font-medium text-foreground'
/** Facts stand on one line, whether or not they are links. */
const line = 'inline-flex min-h-6 items-center'

function Warnings({ cron }: { cron: CronDetail }) {
  const { disabled, late_since: late } = cron
  if (!disabled && !late) return null
  return (
    <div className="mb-3 flex-none">
      {disabled ? (
        <Banner
          tone={disabled.by ? 'warn' : 'err'}
          alert={false}
          icon={disabled.by ? 'pause' : 'err'}
          title={disabled.by ? t.shut.banner() : t.reopen.banner()}
          meta={<>
            <span>{t.shut.by()} <b className={strong}>{disabled.by?.name ?? t.reopen.machine()}</b></span>
            <span>{t.shut.since()} <b className={strong}>{whenShort(disabled.at)}</b></span>
          </>}
          act={<PutBack cron={cron} id={PUT_BACK} className="max-sm:h-10" />}
        >
          <p className="break-words">{disabled.by ? t.shut.quote(disabled.reason) : `${disabled.reason} ${t.reopen.why()}`}</p>
        </Banner>
      ) : late ? (
        <Banner tone="err" alert={false} icon="clock" title={t.lateBanner(whenMinute(late))} act={<Link to="/workers" className={buttonVariants({ variant: 'ghost' })}>{t.seeWorkers()}</Link>}>
          <p>{t.lateText()}</p>
        </Banner>
      ) : null}
    </div>
  )
}

function CronFacts({ cron }: { cron: CronDetail }) {
  const f = t.facts
  return (
    <Sheet className="flex-none px-4 py-3">
      <Facts
        className="flex-wrap gap-y-2 max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-3 max-sm:[&>div]:border-l-0 max-sm:[&>div]:px-0 max-sm:[&_dd]:whitespace-normal"
        items={[
          { name: f.schedule(), value: <span className={line} title={cron.schedule}>{scheduleWord(cron.schedule)}</span> },
          { name: f.pattern(), value: <span className={`${line} font-mono text-xs`}>{cron.schedule}</span> },
          { name: f.kind(), value: <Link to="/jobs" search={{ kind: [cron.kind] }} title={cron.kind} className="link inline-flex min-h-6 items-center">{kindWord(cron.kind)}</Link> },
          { name: f.queue(), value: isQueue(cron.queue) ? <Link to="/queues/$name" params={{ name: cron.queue }} className="link inline-flex min-h-6 items-center">{queueWord[cron.queue]()}</Link> : cron.queue },
          { name: f.overlap(), value: <span className={line}>{t.overlap[cron.overlap]?.() ?? cron.overlap}</span> },
          { name: f.catchUp(), value: <span className={line}>{t.catchUp[cron.catch_up]?.() ?? cron.catch_up}</span> },
        ]}
      />
    </Sheet>
  )
}

function NextRuns({ cron }: { cron: CronDetail }) {
  const now = useNow(false)
  return (
    <Part title={t.next.title()} hint={t.next.hint()}>
      {cron.next.length === 0 ? <p className="px-3 py-3 text-muted-foreground">{t.next.none()}</p> : (
        <ol aria-label={t.next.title()} className="num">
          {upcomingOf(cron.next, now).map((one) => (one.kind === 'change' ? (
            <li key={`change-${one.at}`} className="flex min-h-8 items-center gap-2 border-t bg-muted px-3 text-xs first:border-t-0">
              <Icon name="clock" className="size-3.5 text-muted-foreground" />
              {(one.turn === 1 ? t.next.forward : t.next.back)(day(isoDay(one.at)))}
            </li>
          ) : (
            <li key={one.at} className="flex min-h-8 flex-wrap items-center gap-x-2 border-t px-3 first:border-t-0 max-sm:py-1">
              <span>{longDay(isoDay(one.at))}</span>
              <span className="text-muted-foreground">{t.next.at()}</span>
              <b className="font-medium">{hourMinute(one.at)}</b>
              <span className="ml-auto text-xs text-muted-foreground max-sm:ml-0 max-sm:w-full"><Until at={one.at} /></span>
            </li>
          )))}
        </ol>
      )}
    </Part>
  )
}

function Gone() {
  return <Sheet><Empty icon="filter" title={t.gone()} act={<Link to="/crons" className="link">{t.toList()}</Link>}>{t.goneHint()}</Empty></Sheet>
}

export function CronPage() {
  const { id } = useParams({ from: '/_app/crons/$id' })
  const client = useQueryClient()
  const oversees = useOversees()
  const [every, setEvery] = useSteadyRefresh()
  const [shutting, setShutting] = useState(false)
  const switchedOff = useRef(false)
  const barred = useBarred()
  const found = useQuery({ ...cronQuery(Number(id)), enabled: oversees, refetchOnWindowFocus: false })
  const late = useLate(found.isPending)
  const cron = found.data?.body
  const word = cron ? cronWord(cron.name) : t.title()
  usePageTitle(word)
  const { refresh } = useFollow(every, async () => { if (oversees) await client.fetchQuery({ ...cronQuery(Number(id)), retry: false }) })
  // Its opener goes away with what it did, before or after the dialog: the button that takes it back stands in for it.
  const isOff = cron?.disabled != null
  useEffect(() => {
    if (!switchedOff.current || shutting || !isOff) return
    switchedOff.current = false
    requestAnimationFrame(() => document.getElementById(PUT_BACK)?.focus({ preventScroll: true }))
  }, [shutting, isOff])
  const forbidden = isForbidden(found) || barred
  const gone = found.error instanceof ApiError && found.error.status === 404

  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible">
      <PageHead
        title={word}
        crumbs={
          <nav aria-label={t.crumbs()} className="flex items-center gap-1.5 text-xs text-muted-foreground">
            <Link to="/crons" activeOptions={{ exact: true }} className="link inline-flex min-h-6 items-center">{t.title()}</Link>
            <span>/</span>
            <span>{cron?.name ?? id}</span>
          </nav>
        }
        meta={cron ? looksOf(cron).map((look) => <Badge key={look.word()} box tone={look.tone} icon={look.icon}>{look.word()}</Badge>) : null}
      >
        {forbidden ? null : <Fresh at={found.data?.at ?? 0} every={every} choices={STEADY} onEvery={setEvery} busy={found.isFetching} onRefresh={refresh} />}
        {cron && !cron.disabled ? <Button reason={refusal(cron, 'disable')} className="max-sm:h-10" onClick={() => setShutting(true)}><Icon name="pause" />{t.shut.act()}</Button> : null}
        {cron ? <RunNow cron={cron} /> : null}
      </PageHead>
      {gone ? null : <Failed of={found} title={t.oneFailed()} onRetry={refresh} />}
      {forbidden ? <NoRight act={<Link to="/queues" className={buttonVariants({})}>{t.toQueues()}</Link>}>{t.noRightHint()}</NoRight> : null}
      {gone ? <Gone /> : null}
      {late && !forbidden ? <Sheet className="grid gap-6 p-4">{['w-1/4', 'w-full', 'w-2/3'].map((width) => <Bone key={width} className={width} />)}</Sheet> : null}
      {cron ? (
        <>
          <Warnings cron={cron} />
          <div className="grid flex-none gap-3">
            <CronFacts cron={cron} />
            <NextRuns cron={cron} />
            <Firings runs={cron.runs} />
          </div>
        </>
      ) : null}
      {shutting && cron ? <Piece onLost={() => setShutting(false)}><DisableDialog cron={cron} onDone={() => { switchedOff.current = true }} onClose={() => setShutting(false)} /></Piece> : null}
    </div>
  )
}
