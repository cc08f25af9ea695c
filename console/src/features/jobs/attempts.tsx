// The attempts of a job down a timeline, newest first: durations as bars on one scale, waits between, errors folded to their first line.
import { useState } from 'react'
import type { WholeJob } from '@/api/operations'
import { Ago } from '@/components/ui/ago'
import { toneText } from '@/components/ui/badge'
import { Copy } from '@/components/ui/copy'
import { Icon, type IconName } from '@/components/ui/icons'
import { Sheet } from '@/components/ui/sheet'
import { roleAndBureau } from '@/features/auth/status'
import { dateTime, timeOf, whenShort } from '@/lib/format'
import { useNow } from '@/lib/use-now'
import { cn } from '@/lib/utils'
import { actWord, j, lasted, outcomeLook } from './job-texts'
import { type Entry, longest, timelineOf, totalMs } from './timeline'
import { Why } from './why'

const fill = { ok: 'bg-ok-solid', warn: 'bg-warn-solid', err: 'bg-err-solid', run: 'bg-run-solid', queued: 'bg-queued-solid', plain: 'bg-queued-solid' }

function Line({ icon, tone = 'text-muted-foreground', last = false, children }: { icon: IconName; tone?: string; last?: boolean; children: React.ReactNode }) {
  return (
    <li className="relative pb-3.5 pl-7 last:pb-0">
      {last ? null : <span aria-hidden="true" className="absolute top-6 bottom-0 left-[7.5px] w-px bg-border-strong" />}
      <Icon name={icon} className={cn('absolute top-0.5 left-0', tone)} />
      {children}
    </li>
  )
}

function Duration({ ms, of, tone }: { ms: number; of: number; tone: keyof typeof fill }) {
  return (
    <div className="my-1.5 grid grid-cols-[minmax(0,1fr)_76px] items-center gap-3">
      <span aria-hidden="true" className="relative block h-1.5 rounded-[2px] bg-muted">
        <span className={cn('absolute inset-y-0 left-0 min-w-0.5 rounded-[2px]', fill[tone])} style={{ width: `${Math.min(100, (ms / of) * 100)}%` }} />
      </span>
      <span className="num text-right text-xs text-muted-foreground">{lasted(ms)}</span>
    </div>
  )
}

function ErrorText({ text, code }: { text: string; code: string | null }) {
  const [open, setOpen] = useState(false)
  const lines = text.trim().split('\n')
  const long = lines.length > 1 || text.length > 90
  return (
    <div>
      <div className={cn('flex items-center gap-2 border bg-muted py-1 pr-1 pl-2.5', open ? 'rounded-t-md' : 'rounded-md')}>
        <span className="min-w-0 flex-1 truncate font-mono text-xs" title={lines[0]}>{code ? <span className="text-muted-foreground">{code} </span> : null}{lines[0]}</span>
        {long ? (
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="inline-flex min-h-6 items-center gap-1 rounded-sm px-1 text-xs text-muted-foreground hover:bg-accent hover:text-foreground">
            {open ? j.hide() : j.lines(lines.length)}
            <Icon name={open ? 'up' : 'down'} className="size-3" />
          </button>
        ) : null}
        <Copy label={j.copyError()} value={text} />
      </div>
      {open ? <pre className="rounded-b-md border border-t-0 bg-card px-2.5 py-2 font-mono text-xs leading-[18px] wrap-anywhere whitespace-pre-wrap">{text.trim()}</pre> : null}
    </div>
  )
}

function hasPayload(after: unknown): boolean {
  return typeof after === 'object' && after !== null && 'payload' in after && after.payload != null
}

function EntryLine({ entry, scale, job }: { entry: Entry; scale: number; job: WholeJob }) {
  if (entry.kind === 'wait') return <Line icon="clock"><span className="text-xs text-muted-foreground">{j.waited(lasted(entry.ms), entry.after)}</span></Line>
  if (entry.kind === 'hidden') return <Line icon="more"><span className="text-xs text-muted-foreground">{j.hidden(entry.count)}</span></Line>
  if (entry.kind === 'created') {
    const by = job.createdBy
    return (
      <Line icon="queued" tone="text-queued" last>
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h3>{j.created()}</h3>
          <span className="text-muted-foreground">{by ? `${by.name}${by.role ? ` (${roleAndBureau(by.role, by.tenantCode)})` : ''}` : j.system()}</span>
          <time dateTime={entry.at} title={dateTime(entry.at)} className="ml-auto text-xs text-muted-foreground">{whenShort(entry.at)}</time>
        </div>
      </Line>
    )
  }
  if (entry.kind === 'event') {
    const { event } = entry
    return (
      <Line icon="id">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{actWord(event.action)}</span>
          <span className="text-muted-foreground">{event.who ?? j.system()}{event.role ? ` (${roleAndBureau(event.role, null)})` : ''}{hasPayload(event.after) ? ` · ${j.withPayload()}` : ''}{event.reason ? ` · ${event.reason}` : ''}</span>
          <time dateTime={event.at} title={dateTime(event.at)} className="ml-auto text-xs text-muted-foreground">{whenShort(event.at)}</time>
        </div>
      </Line>
    )
  }
  const { attempt } = entry
  const look = outcomeLook[attempt.outcome]
  return (
    <Line icon={look.icon} tone={toneText[look.tone]}>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <h3>{j.attempt(attempt.run)}</h3>
        <span className={cn('font-medium', toneText[look.tone])}>{look.word()}</span>
        {attempt.worker ? <span className="font-mono text-xs text-muted-foreground" title={j.worker()}>{attempt.worker}</span> : null}
        <span className="ml-auto text-xs text-muted-foreground"><Ago at={attempt.finishedAt} /></span>
      </div>
      <Duration ms={entry.ms} of={scale} tone={look.tone} />
      {attempt.error ? <ErrorText text={attempt.error} code={attempt.errorCode} /> : null}
    </Line>
  )
}

function Present({ job, scale, now }: { job: WholeJob; scale: number; now: number }) {
  if (job.state === 'running') {
    return (
      <Line icon="run" tone="text-run">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h3>{j.attempt(job.runs)}</h3>
          <span className="font-medium text-run">{j.runningNow()}</span>
          {job.worker ? <span className="font-mono text-xs text-muted-foreground" title={j.worker()}>{job.worker}</span> : null}
        </div>
        {job.startedAt ? <Duration ms={Math.max(0, now - Date.parse(job.startedAt))} of={scale} tone="run" /> : null}
      </Line>
    )
  }
  if (job.state === 'dispatched') return <Line icon="queued" tone="text-queued"><span className="font-medium">{j.onItsWay()}</span></Line>
  if (job.state !== 'queued') return null
  return (
    <Line icon={job.retrying ? 'retry' : 'queued'} tone="text-queued">
      <span className="font-medium">{j.waiting()}</span>
      {Date.parse(job.runAt) > now ? <span className="ml-2 text-muted-foreground" title={dateTime(job.runAt)}>{j.nextTry(timeOf(job.runAt))}</span> : null}
    </Line>
  )
}

export function Attempts({ job }: { job: WholeJob }) {
  const now = useNow(job.status === 1)
  const entries = timelineOf(job)
  const current = job.state === 'running' && job.startedAt ? Math.max(0, now - Date.parse(job.startedAt)) : 0
  const scale = longest(entries, current)
  const total = totalMs(job, job.state === 'running' ? job.startedAt : null, now)
  return (
    <Sheet aria-labelledby="attempts">
      <header className="flex min-h-11 flex-wrap items-center gap-x-2 border-b px-4 py-2">
        <h2 id="attempts">{j.attempts()}</h2>
        <span className="text-xs text-muted-foreground">{j.upTo(job.runs, job.failureLimit)}{job.attempts.length > 0 ? ` · ${j.oneScale()}` : ''}</span>
        {total > 0 ? <span className="ml-auto text-xs text-muted-foreground">{j.total(lasted(total))}</span> : null}
      </header>
      <Why job={job} />
      <ol className="px-4 py-3.5">
        <Present job={job} scale={scale} now={now} />
        {entries.map((entry) => <EntryLine key={entry.key} entry={entry} scale={scale} job={job} />)}
      </ol>
    </Sheet>
  )
}
