// What stands where data should be: nothing yet, nothing found, no right, a failed load, a skeleton.
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError } from '@/api/errors'
import { text } from '@/lib/texts'
import { toasts } from '@/lib/toasts'
import { cn } from '@/lib/utils'
import type { Tone } from './badge'
import { toneText } from './badge'
import { Button } from './button'
import { Icon, type IconName } from './icons'

const texts = {
  retry: text('Proovi uuesti', 'Try again'),
  request: text('päring', 'request'),
  copy: text('Kopeeri päringu id', 'Copy the request id'),
  trace: text('jälg', 'trace'),
  copyTrace: text('Kopeeri jälje id', 'Copy the trace id'),
  copied: text('Id on kopeeritud', 'The id is copied'),
}

export function Empty({ icon, title, children, act }: { icon: IconName; title: string; children: ReactNode; act?: ReactNode }) {
  return (
    <div data-slot="empty" className="grid justify-items-center gap-1 px-6 py-10 text-center">
      <Icon name={icon} className="mb-1 size-6 stroke-[1.5] text-muted-foreground" />
      <h2 className="text-sm">{title}</h2>
      <p className="max-w-[300px] text-muted-foreground">{children}</p>
      {act ? <div className="mt-2">{act}</div> : null}
    </div>
  )
}

export function Banner({ tone, alert = tone === 'err', icon, title, meta, act, children }: { tone?: 'err' | 'warn'; alert?: boolean; icon: IconName; title: string; meta?: ReactNode; act?: ReactNode; children?: ReactNode }) {
  const ground = {
    err: 'border-[color-mix(in_oklab,var(--err-solid)_38%,var(--card))] bg-[color-mix(in_oklab,var(--err-bg)_55%,var(--card))] dark:bg-[color-mix(in_oklab,var(--err-bg)_36%,var(--card))]',
    warn: 'border-[color-mix(in_oklab,var(--warn-solid)_48%,var(--card))] bg-[color-mix(in_oklab,var(--warn-bg)_55%,var(--card))] dark:bg-[color-mix(in_oklab,var(--warn-bg)_40%,var(--card))]',
  }
  return (
    <div data-slot="banner" data-tone={tone} role={alert ? 'alert' : undefined} className={cn('grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-0.5 rounded-lg border border-border-strong bg-card px-3 py-2.5 max-sm:grid-cols-[auto_minmax(0,1fr)]', tone && ground[tone])}>
      <Icon name={icon} className={cn('mt-0.5', toneText[(tone ?? 'err') as Tone])} />
      <div>
        <p className="font-semibold whitespace-pre-line">{title}</p>
        {children}
        {meta ? <p className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-muted-foreground">{meta}</p> : null}
      </div>
      {act ? <div className="flex flex-wrap gap-2 self-center max-sm:col-start-2">{act}</div> : null}
    </div>
  )
}

/** A load that failed: what, what is shown instead, the request's id to copy, and trying again. */
export function LoadFailed({ title, requestId, onRetry, children }: { title: string; requestId?: string | null; onRetry: () => void; children?: ReactNode }) {
  return (
    <Banner
      alert
      icon="err"
      title={title}
      meta={requestId ? (
        <span className="flex items-center gap-1">
          {texts.request()} <span className="font-mono">{requestId}</span>
          <CopyId id={requestId} />
          {/* The trace's id is the request's without its dashes. */}
          <CopyId id={requestId.replaceAll('-', '')} what={texts.copyTrace()}>{texts.trace()}</CopyId>
        </span>
      ) : undefined}
      act={<Button onClick={onRetry}><Icon name="refresh" />{texts.retry()}</Button>}
    >
      {children}
    </Banner>
  )
}

function CopyId({ id, what = texts.copy(), children }: { id: string; what?: string; children?: ReactNode }) {
  return (
    <Button
      variant="ghost" size="mini" aria-label={what} title={what}
      onClick={() => void navigator.clipboard?.writeText(id).then(() => toasts.success(texts.copied()), () => undefined)}
    >
      {children}<Icon name="copy" className="size-3.5" />
    </Button>
  )
}

/** A small load that failed, in one line: what, trying again, and the request's id to copy. */
export function LineFailed({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  const id = error instanceof ApiError ? error.requestId : null
  return (
    <span role="alert" className="inline-flex flex-wrap items-center gap-x-2 text-err">
      {title}
      <button type="button" className="link min-h-6" onClick={onRetry}>{texts.retry()}</button>
      {id ? <CopyId id={id} /> : null}
    </span>
  )
}

/** True once something has been awaited for 150 ms: shorter waits show nothing. */
export function useLate(waiting: boolean, afterMs = 150): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => setLate(true), afterMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [waiting, afterMs])
  return waiting && late
}

export function Bone({ className }: { className?: string }) {
  return <span data-slot="bone" className={cn('block h-2 rounded-[2px] bg-border', className)} />
}

/** The 2 px line over old rows while new ones are fetched. */
export function Sweep({ on }: { on: boolean }) {
  return <div aria-hidden="true" className={cn('absolute inset-x-0 top-0 z-[4] h-0.5', on && 'sweep')} />
}

export function Spinner({ label }: { label: string }) {
  return (
    <span role="status" className="inline-flex items-center gap-1.5">
      <Icon name="run" className="size-3.5 text-run" />
      <span className="sr-only">{label}</span>
    </span>
  )
}
