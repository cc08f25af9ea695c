// One queue: how it is and why, its course, its kinds of jobs, whose jobs wait, and when it was paused.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import type { QueueDetail } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Bone, useLate } from '@/components/ui/feedback'
import { Facts } from '@/components/ui/figures'
import { Fresh } from '@/components/ui/fresh'
import { Icon } from '@/components/ui/icons'
import { Failed, isForbidden, NoRight } from '@/components/ui/page-frame'
import { Piece } from '@/components/ui/piece'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { queueWord } from '@/features/jobs/status'
import { refusal } from '@/lib/allowed'
import { countText } from '@/lib/counts'
import { num } from '@/lib/format'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { usePageTitle } from '@/lib/title'
import { useFollow } from '@/lib/use-follow'
import { Troubles } from './banners'
import { DrainWord, Life, Oldest, rateWord, stateNote } from './cells'
import { Course } from './course'
import type { PauseOf } from './pause-dialog'
import { overviewQuery, pausesQuery, queueQuery, seriesQuery, useEndPause } from './queries'
import { BureauPart, KindPart, PausePart } from './queue-parts'
import { DEFAULT_RANGE, isQueue, type QueueSearch, spanMs, withQueueSearch } from './search'
import { troublesOf } from './series'
import { LookBadge, lookOf } from './status'
import { t } from './texts'

const PauseDialog = lazy(() => import('./pause-dialog'))

/** The minute's figures are asked for again only when there can be new ones. */
const SERIES_MS = 30_000

function PauseButton({ queue, onPause }: { queue: QueueDetail; onPause: () => void }) {
  const end = useEndPause()
  const { pause } = queue
  if (!pause) return <Button reason={refusal(queue, 'pause')} className="max-sm:h-10" onClick={onPause}><Icon name="pause" />{t.page.pause()}</Button>
  return <Button reason={refusal(pause, 'resume')} disabled={end.isPending} className="max-sm:h-10" onClick={() => end.mutate(pause)}><Icon name="play" />{t.page.resume()}</Button>
}

/** Facts stand on one line, whether or not they are links. */
const line = 'inline-flex min-h-6 items-center'

function QueueFacts({ queue }: { queue: QueueDetail }) {
  const c = t.columns
  return (
    <Sheet className="flex-none px-4 py-3">
      <Facts
        className="flex-wrap gap-y-2 max-sm:grid max-sm:grid-cols-3 max-sm:gap-x-3 max-sm:[&>div]:border-l-0 max-sm:[&>div]:px-0"
        items={[
          { name: c.waiting(), value: <Link to="/jobs" search={{ queue: [queue.name], state: ['queued', 'dispatched'] }} className="link inline-flex min-h-6 items-center">{countText(queue.waiting)}</Link> },
          { name: c.running(), value: <Link to="/jobs" search={{ queue: [queue.name], state: ['running'] }} className="link inline-flex min-h-6 items-center">{num(queue.running)}</Link> },
          { name: c.retrying(), value: <span className={line}>{countText(queue.retrying)}</span> },
          { name: c.failed(), value: <Link to="/errors" search={{ queue: queue.name }} className="link inline-flex min-h-6 items-center">{countText(queue.failed24h)}</Link> },
          { name: c.oldest(), value: <span className={line}><Oldest queue={queue} /></span> },
          { name: c.drain(), value: <span className={line}><DrainWord queue={queue} /></span> },
          { name: t.page.pace(), value: <span className={line}>{rateWord(queue.donePerMinute + queue.failedPerMinute)}</span> },
          { name: t.page.concurrency(), value: <span className={line}>{num(queue.concurrency)}</span> },
          { name: c.workers(), value: <Life of={queue.workers} inline /> },
        ]}
      />
    </Sheet>
  )
}

export function QueuePage() {
  const { name } = useParams({ from: '/_app/queues/$name' })
  const search = useSearch({ from: '/_app/queues/$name' })
  const navigate = useNavigate({ from: '/queues/$name' })
  const client = useQueryClient()
  const [every, setEvery] = useSteadyRefresh()
  const [pausing, setPausing] = useState<PauseOf | null>(null)
  const key = isQueue(name) ? name : 'bulk'
  const found = useQuery({ ...queueQuery(key), refetchOnWindowFocus: false })
  const overview = useQuery({ ...overviewQuery, refetchOnWindowFocus: false })
  const pauses = useQuery({ ...pausesQuery(true), refetchOnWindowFocus: false })
  const late = useLate(found.isPending)
  const word = queueWord[key]()
  usePageTitle(word)
  const queue = found.data?.body
  const { refresh } = useFollow(every, () => Promise.all([
    client.fetchQuery({ ...queueQuery(key), retry: false }),
    client.fetchQuery({ ...overviewQuery, retry: false }),
    client.fetchQuery({ ...pausesQuery(true), retry: false }),
    client.fetchQuery({ ...seriesQuery(key, spanMs[search.range ?? DEFAULT_RANGE], search.kind), staleTime: SERIES_MS, retry: false }),
  ]))
  const onSearch = (change: Partial<QueueSearch>) => void navigate({ search: (now) => withQueueSearch(now, change), replace: true, resetScroll: false })

  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible">
      <PageHead
        title={word}
        crumbs={
          <nav aria-label={t.page.crumbs()} className="flex items-center gap-1.5 text-xs text-muted-foreground">
            <Link to="/queues" activeOptions={{ exact: true }} className="link inline-flex min-h-6 items-center">{t.title()}</Link>
            <span>/</span>
            <span>{name}</span>
          </nav>
        }
        meta={queue ? <><LookBadge box look={lookOf(queue)} /><span className="text-muted-foreground">{stateNote(queue)}</span></> : null}
      >
        <Fresh at={found.data?.at ?? 0} every={every} choices={STEADY} onEvery={setEvery} busy={found.isFetching} onRefresh={refresh} />
        {queue ? <PauseButton queue={queue} onPause={() => setPausing({ queue: key })} /> : null}
      </PageHead>
      <Failed of={found} title={t.page.loadFailed()} onRetry={refresh} />
      {isForbidden(found) && !queue ? <NoRight>{t.noRightHint()}</NoRight> : null}
      {queue && overview.data ? <Troubles found={troublesOf(overview.data.body, queue)} onEdit={(pause) => setPausing({ pause })} /> : null}
      {late ? <Sheet className="grid gap-6 p-4">{['w-1/4', 'w-full', 'w-2/3'].map((width) => <Bone key={width} className={width} />)}</Sheet> : null}
      {queue ? (
        <div className="grid flex-none gap-3">
          <QueueFacts queue={queue} />
          <Course queue={queue} search={search} onSearch={onSearch} />
          <div className="grid grid-cols-2 items-start gap-3 max-lg:grid-cols-[minmax(0,1fr)]">
            <KindPart queue={queue} />
            <div className="grid gap-3">
              <BureauPart queue={queue} />
              <PausePart queue={queue} found={pauses} />
            </div>
          </div>
        </div>
      ) : null}
      {pausing ? <Piece onLost={() => setPausing(null)}><PauseDialog of={pausing} onClose={() => setPausing(null)} /></Piece> : null}
    </div>
  )
}
