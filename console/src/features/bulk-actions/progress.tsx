// The progress of an action: the figure, pace and end, the bar in parts with its legend, the timeline.
import type { BulkAction, BulkCounts } from '@/api/types'
import { type Tone, toneText } from '@/components/ui/badge'
import { Facts, Figure } from '@/components/ui/figures'
import { Icon, type IconName } from '@/components/ui/icons'
import { type Moment, Parts, Timeline } from '@/components/ui/progress'
import { quiet, Sheet } from '@/components/ui/sheet'
import { Sparkline } from '@/components/ui/sparkline'
import { dateTime, decimal, duration, num, percent, whenShort } from '@/lib/format'
import { courseOf, endWords, leftWords } from '@/lib/rate'
import { useNow } from '@/lib/use-now'
import { cn } from '@/lib/utils'
import { countWord, ended, partsOf } from './status'
import { PacePanel } from './pace-panel'
import { StallLine, stands } from './stall'
import { t } from './texts'

const legend: Array<{ key: keyof typeof countWord; icon: IconName; tone: Tone; always: boolean }> = [
  { key: 'ok', icon: 'ok', tone: 'ok', always: true },
  { key: 'warning', icon: 'warn', tone: 'warn', always: true },
  { key: 'failed', icon: 'err', tone: 'err', always: true },
  { key: 'running', icon: 'run', tone: 'run', always: false },
  { key: 'queued', icon: 'queued', tone: 'queued', always: false },
  { key: 'cancelled', icon: 'cancel', tone: 'queued', always: false },
]

function Legend({ counts }: { counts: BulkCounts }) {
  return (
    <ul data-slot="legend" className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted-foreground max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:gap-y-2">
      {legend.filter((one) => one.always || counts[one.key] > 0).map((one) => (
        <li key={one.key} className="inline-flex items-center gap-1.5">
          <Icon name={one.icon} className={cn('size-[13px]', counts[one.key] === 0 ? quiet : toneText[one.tone])} />
          {countWord[one.key]()} <b className="font-semibold text-foreground max-sm:ml-auto">{num(counts[one.key])}</b>
        </li>
      ))}
    </ul>
  )
}

function moments(action: BulkAction, expected: string | null): Moment[] {
  const done = action.status !== 1
  const moment = (key: string, word: string, at: string | null | undefined, dot: Moment['dot'], dashed = false): Moment => ({
    key, word, at: at ? whenShort(at) : t.notYet(), dot: at ? dot : 'none', dashed, ...(at ? { exact: dateTime(at) } : {}),
  })
  const created = moment('created', t.created(), action.createdAt, 'done', !action.startedAt && !done)
  if (action.cancelledAt && action.status === 4) return [created, moment('cancelled', t.stopped(), action.cancelledAt, 'done')]
  const begun = moment('started', t.begun(), action.startedAt, done ? 'done' : 'run', !done)
  const end = moment('finished', t.ended(), action.finishedAt, action.status === 3 ? 'err' : 'ok')
  if (!action.finishedAt && expected) end.at = t.expected(expected)
  return [created, begun, end]
}

/** The server's bars: five seconds each, up to two minutes. */
const BARS = 24

export function Progress({ action, onAct }: { action: BulkAction; onAct: () => void }) {
  const { counts } = action
  const moving = action.status === 1
  const now = useNow(moving)
  const still = moving && (Boolean(action.pausedAt) || stands(action, counts.running > 0))
  const movement = action.movement ?? null
  const course = courseOf(movement, still, now)
  const bars = movement?.bars ?? []
  const done = ended(counts)
  const expected = endWords(course, now)
  const rate = (
    <span className="flex items-center gap-2">
      {course.perSecond === null ? '–' : t.perSecond(decimal(course.perSecond))}
      {bars.length > 1 ? <Sparkline label={t.rateBars()} done={bars.map((bar) => bar.done)} failed={bars.map((bar) => bar.failed)} most={BARS} height={16} className="max-sm:hidden" /> : null}
    </span>
  )
  const facts = moving
    ? [
        { name: t.rate(), value: rate },
        { name: t.left(), value: course.leftSeconds ? leftWords(course.leftSeconds) : '–' },
        { name: t.ends(), value: expected ?? (still ? '–' : t.unknownYet()) },
        { name: t.lasted(), value: action.startedAt ? duration(action.startedAt, now) : '–' },
      ]
    : [{ name: t.took(), value: action.startedAt && action.finishedAt ? duration(action.startedAt, action.finishedAt) : '–' }]

  return (
    <Sheet aria-label={t.progress()} className={cn('mb-3.5 flex-none', moving && 'grid lg:grid-cols-[minmax(0,1fr)_336px]')}>
      <div className="grid min-w-0 content-start gap-2.5 px-5 py-3.5 max-sm:px-4">
        <div className="flex flex-wrap items-end justify-between gap-x-5 gap-y-2 max-sm:contents">
          <Figure value={done}>/ {num(counts.total)} · {percent(done, counts.total)}</Figure>
          <Facts items={facts} className="max-sm:order-last max-sm:mt-1 max-sm:border-t max-sm:pt-3" />
        </div>
        <Parts label={t.progress()} parts={partsOf(counts)} done={done} total={counts.total} />
        {moving && !action.casesFrozenAt ? <p className="text-xs text-muted-foreground">{t.freezing()}</p> : null}
        {moving ? <StallLine action={action} running={action.counts.running > 0} held={t.pausedCause()} stillSeconds={course.stalledSeconds} now={now} /> : null}
        <Legend counts={counts} />
        <div className="mt-1 overflow-x-auto border-t pt-3 max-sm:hidden"><Timeline label={t.timeline()} moments={moments(action, expected)} /></div>
      </div>
      {moving ? <PacePanel action={action} perSecond={course.perSecond} onAct={onAct} /> : null}
    </Sheet>
  )
}
