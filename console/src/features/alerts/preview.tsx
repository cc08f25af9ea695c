// What a rule would have done in the last week, or since the figures begin: how often, over the hours, and when.
import { useQuery } from '@tanstack/react-query'
import { sentence } from '@/api/errors'
import { Bone, LineFailed, useLate } from '@/components/ui/feedback'
import { Hint } from '@/components/ui/field'
import { dateTime } from '@/lib/format'
import { spanWord } from '@/lib/span'
import { cn } from '@/lib/utils'
import { previewQuery, type Preview as Found, type RuleInput } from './queries'
import { isPlain, presentWord, valueWord } from './status'
import { t } from './texts'
import { daysOf, weekOf } from './times'
import { verdictOf } from './verdict'
import { Week } from './week'

const MINUTE_MS = 60_000

function Episodes({ found, rule }: { found: Found; rule: RuleInput }) {
  if (found.episodes.length === 0) return null
  return (
    <div className="grid gap-1">
      <h4 className="text-xs font-medium">{t.preview.episodes()}{found.fired > found.episodes.length ? <span className="ml-2 font-normal text-muted-foreground">{t.preview.more(found.episodes.length)}</span> : null}</h4>
      <ul aria-label={t.preview.episodes()} tabIndex={0} className="num max-h-40 overflow-auto rounded-md border bg-card">
        {found.episodes.map((one) => (
          <li key={one.from} className="flex min-h-7 items-center gap-3 border-t px-2.5 text-xs first:border-t-0">
            <span>{dateTime(one.from)}</span>
            <span className={cn(one.to ? 'text-muted-foreground' : 'font-semibold text-err')}>{one.to ? spanWord(Date.parse(one.to) - Date.parse(one.from)) : t.preview.still()}</span>
            {isPlain(rule.measure) ? null : <span className="ml-auto">{t.preview.peak(valueWord(rule.measure, one.peak))}</span>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** `rule`: as it is typed now, or null where it is not whole yet. */
export function Preview({ rule }: { rule: RuleInput | null }) {
  const found = useQuery(previewQuery(rule))
  const late = useLate(found.isFetching && !found.data)
  const preview = rule ? found.data : undefined
  const stale = useLate(found.isPlaceholderData)
  const hours = preview ? weekOf(preview.hours, preview.to) : []
  const verdict = preview ? verdictOf(preview) : null
  return (
    <section aria-label={t.preview.title()} className="grid content-start gap-3 rounded-lg border border-border-strong bg-muted p-3">
      <h3>{t.preview.title()}</h3>
      {rule === null ? <Hint>{t.preview.waiting()}</Hint> : null}
      {rule && found.isError ? <LineFailed title={sentence(found.error, t.preview.failed())} error={found.error} onRetry={() => void found.refetch()} /> : null}
      {late ? <div className="grid gap-4 py-2">{['w-2/3', 'w-full', 'w-1/2'].map((width) => <Bone key={width} className={width} />)}</div> : null}
      {preview && verdict && rule && !found.isError ? (
        <div className={cn('grid gap-3', stale && 'text-muted-foreground')}>
          <p role="status">
            {verdict.begins ? `${verdict.begins} ` : null}
            <b className="font-semibold">{verdict.sentence}</b>
            {preview.fired > 0 ? `, ${t.preview.lasting(spanWord(preview.minutesFiring * MINUTE_MS))}` : ''}
            {'. '}
            {preview.value == null ? null : <span className="text-muted-foreground">{presentWord(rule.measure, preview.value)}</span>}
          </p>
          <div className="grid gap-1">
            <Week label={t.preview.chart()} hours={hours} threshold={rule.threshold} days={daysOf(hours)} />
            <Hint>
              {t.preview.chart()}
              {rule.threshold > 0 ? <><svg width="20" height="6" aria-hidden="true" className="mx-1.5 inline-block align-middle"><line x1="0" x2="20" y1="3" y2="3" className="stroke-foreground" strokeDasharray="4 3" /></svg>{t.preview.threshold()} {valueWord(rule.measure, rule.threshold)}</> : null}
            </Hint>
          </div>
          <Episodes found={preview} rule={rule} />
        </div>
      ) : null}
    </section>
  )
}
