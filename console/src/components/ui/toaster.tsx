// Shows the short messages: one sentence each, taken back or closed.
import { useEffect, useState } from 'react'
import { text } from '@/lib/texts'
import { dismiss, type ToastEntry, useToasts } from '@/lib/toasts'
import { Button } from './button'
import { Icon } from './icons'

const texts = {
  region: text('Teated', 'Messages'),
  undo: text('Võta tagasi', 'Undo'),
  close: text('Sulge teade', 'Close message'),
}

const icon = { success: ['ok', 'text-ok'], info: ['dot', 'text-run'], error: ['err', 'text-err'] } as const

function Left({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span className="text-muted-foreground">{Math.max(0, Math.ceil((until - now) / 1000))}</span>
}

function ToastLine({ entry }: { entry: ToastEntry }) {
  const [name, tone] = icon[entry.kind]
  return (
    <div data-slot="toast" role={entry.kind === 'error' ? 'alert' : 'status'} className="flex w-[400px] max-w-[calc(100vw-24px)] items-center gap-2.5 rounded-lg bg-popover py-2.5 pr-2 pl-3 shadow-pop">
      <Icon name={name} className={tone} />
      <span className="min-w-0 flex-1 break-words whitespace-pre-line">{entry.message}</span>
      {entry.undo ? (
        <Button onClick={() => { entry.undo?.(); dismiss(entry.id) }}>
          {texts.undo()} <Left until={entry.until} />
        </Button>
      ) : null}
      <Button variant="ghost" size="mini" aria-label={texts.close()} title={texts.close()} onClick={() => dismiss(entry.id)}>
        <Icon name="x" className="size-3.5" />
      </Button>
    </div>
  )
}

export function Toaster() {
  const entries = useToasts()
  // The messages speak for themselves; the attribute keeps an open dialog from hiding them.
  return (
    <section aria-label={texts.region()} aria-live="off" className="fixed right-3 bottom-3 z-40 grid justify-items-end gap-2 max-sm:bottom-20">
      {entries.map((entry) => <ToastLine key={entry.id} entry={entry} />)}
    </section>
  )
}
