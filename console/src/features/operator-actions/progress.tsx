// The progress of an operator action: the figure, pace and end, the bar in parts with its legend, the steering of its pace.
import { Link } from '@tanstack/react-router'
import type { ItemState, OperatorAction } from '@/api/operations'
import { toneText } from '@/components/ui/badge'
import { Facts, Figure } from '@/components/ui/figures'
import { Icon } from '@/components/ui/icons'
import { type Moment, Parts, Timeline } from '@/components/ui/progress'
import { quiet, Sheet } from '@/components/ui/sheet'
import { Stepper } from '@/components/ui/stepper'
import { refusal } from '@/lib/allowed'
import { dateTime, decimal, duration, num, percent, whenShort } from '@/lib/format'
import { courseOf, endWords, leftWords } from '@/lib/rate'
import { StallLine, stands } from '@/features/bulk-actions/stall'
import { useNow } from '@/lib/use-now'
import { cn } from '@/lib/utils'
import { ended, itemLook, partsOf } from './status'
import { t } from './texts'
import { useSteer } from './queries'
import { text } from '@/lib/texts'

const moment = { timeline: text('Ajajoon', 'Timeline'), created: text('Loodud', 'Created'), begun: text('Alustatud', 'Started'), ended: text('Lõpetatud', 'Finished'), expected: text((when: string) => `eeldatavalt ${when}`, (when) => `expected ${when}`), notYet: text('veel mitte', 'not yet') }

const LEGEND: ItemState[] = ['done', 'skipped', 'failed', 'sent', 'waiting']
const ALWAYS: ReadonlySet<ItemState> = new Set<ItemState>(['done', 'skipped', 'failed'])

function Legend({ action }: { action: OperatorAction }) {
  return (
    <ul data-slot="legend" className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-muted-foreground max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-4 max-sm:gap-y-2">
      {LEGEND.filter((state) => ALWAYS.has(state) || action.counts[state] > 0).map((state) => (
        <li key={state} className="inline-flex items-center gap-1.5">
          <Icon name={itemLook[state].icon} className={cn('size-[13px]', action.counts[state] === 0 ? quiet : toneText[itemLook[state].tone])} />
          {itemLook[state].word().toLowerCase()} <b className="font-semibold text-foreground max-sm:ml-auto">{num(action.counts[state])}</b>
        </li>
      ))}
    </ul>
  )
}

function moments(action: OperatorAction, expected: string | null): Moment[] {
  const over = action.status !== 1
  const at = (key: string, word: string, when: string | null, dot: Moment['dot'], dashed = false): Moment => ({
    key, word, at: when ? whenShort(when) : moment.notYet(), dot: when ? dot : 'none', dashed, ...(when ? { exact: dateTime(when) } : {}),
  })
  const end = at('finished', moment.ended(), action.finishedAt, action.status === 3 ? 'err' : 'ok')
  if (!action.finishedAt && expected) end.at = moment.expected(expected)
  return [at('created', moment.created(), action.createdAt, 'done', !action.startedAt && !over), at('started', moment.begun(), action.startedAt, over ? 'done' : 'run', !over), end]
}

export function Progress({ action, onAct }: { action: OperatorAction; onAct: () => void }) {
  const { counts, total } = action
  const moving = action.status === 1
  const now = useNow(moving)
  const done = ended(counts)
  const still = moving && (action.pausedAt !== null || stands(action, false))
  const course = courseOf(action.movement ?? null, still, now)
  const expected = endWords(course, now)
  const steer = useSteer(action.id)
  const facts = moving
    ? [
        { name: t.rate(), value: course.perSecond === null ? '–' : t.perSecond(decimal(course.perSecond)) },
        { name: t.left(), value: course.leftSeconds ? leftWords(course.leftSeconds) : '–' },
        { name: t.ends(), value: expected ?? (still ? '–' : t.estimating()) },
        { name: t.lasted(), value: action.startedAt ? duration(action.startedAt, now) : '–' },
      ]
    : [{ name: t.took(), value: action.startedAt && action.finishedAt ? duration(action.startedAt, action.finishedAt) : '–' }]
  return (
    <Sheet aria-label={t.progress()} className="mb-3.5 grid flex-none gap-2.5 px-5 py-3.5 max-sm:px-4">
      <div className="flex flex-wrap items-end justify-between gap-x-5 gap-y-2 max-sm:contents">
        <Figure value={done}>/ {num(total)} · {percent(done, total)}</Figure>
        <Facts items={facts} className="max-sm:order-last max-sm:mt-1 max-sm:border-t max-sm:pt-3" />
      </div>
      <Parts label={t.progress()} parts={partsOf(counts)} done={done} total={total} />
      {moving ? <StallLine action={action} running={false} held={t.pausedCause()} stillSeconds={course.stalledSeconds} now={now} /> : null}
      <div className="flex flex-wrap justify-between gap-x-5 gap-y-1">
        <Legend action={action} />
        {moving ? null : <p className="text-xs text-muted-foreground">{t.adds(total, counts.done, counts.failed, counts.skipped)}</p>}
      </div>
      <div className="mt-1 overflow-x-auto border-t pt-3 max-sm:hidden"><Timeline label={moment.timeline()} moments={moments(action, expected)} /></div>
      {moving ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t pt-3 text-xs">
          <span aria-hidden="true">{t.pace()}</span>
          <Stepper
            label={t.pace()}
            none={t.paceNone()}
            value={action.perSecond}
            reason={refusal(action, 'pace')}
            onChange={(perSecond) => {
              onAct()
              steer.mutate({ act: 'pace', perSecond })
            }}
          />
          <span className="text-muted-foreground">{t.paceHint()}</span>
        </div>
      ) : null}
    </Sheet>
  )
}

/** Why some were not done: each reason opens as a list. */
export function Reasons({ action }: { action: OperatorAction }) {
  if (action.skipped.length === 0) return null
  return (
    <Sheet aria-label={t.groups()} className="mb-3.5 flex-none px-5 py-3 max-sm:px-4">
      <h2 className="mb-2">{t.groups()}</h2>
      <ul className="grid grid-cols-3 gap-y-2 max-md:grid-cols-1">
        {action.skipped.map((one) => (
          <li key={one.reason} className="grid grid-cols-[auto_1fr] gap-x-2 border-l px-4 first:border-l-0 first:pl-0 max-md:border-l-0 max-md:px-0">
            <b className="num font-semibold">{num(one.count)}</b>
            <span>
              {one.text}
              <Link to="/operator_actions/$id" params={{ id: String(action.id) }} search={{ tab: 'skipped', reason: one.reason }} className="link ml-2 inline-flex min-h-6 items-center text-xs" aria-label={`${t.openGroup()}: ${one.text}`}>{t.openGroup()}</Link>
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}
