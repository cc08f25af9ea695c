// What may be done with a cron: run it now, switch it off or on, reopen it.
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { refusal } from '@/lib/allowed'
import { cn } from '@/lib/utils'
import type { Cron } from './list'
import { useEnable, useReopen, useRunNow } from './queries'
import { cronWord } from './status'
import { t } from './texts'

/** Runs it; the same order again, as after a lost answer, is the same job. */
export function useOrder() {
  const run = useRunNow()
  const key = useRef<string>(null)
  return {
    busy: run.isPending,
    order: (cron: Cron) => {
      key.current ??= crypto.randomUUID()
      run.mutate({ cron, key: key.current }, { onSuccess: () => { key.current = null } })
    },
  }
}

export function RunNow({ cron, className, small = false }: { cron: Cron; className?: string; small?: boolean }) {
  const { busy, order } = useOrder()
  const label = t.run.of(cronWord(cron.name))
  if (small) return <Button variant="ghost" size="mini" className={className} reason={refusal(cron, 'execute')} disabled={busy} aria-label={label} title={label} onClick={() => order(cron)}><Icon name="play" className="size-3.5!" /></Button>
  return <Button variant="primary" className={cn('max-sm:h-10', className)} reason={refusal(cron, 'execute')} disabled={busy} onClick={() => order(cron)}><Icon name="play" />{t.run.act()}</Button>
}

/** Puts back what is switched off: by a person, or by the machine after failures. */
export function PutBack({ cron, id, className }: { cron: Cron; id?: string; className?: string }) {
  const enable = useEnable()
  const reopen = useReopen()
  if (!cron.disabled) return null
  const of = cron.disabled.by ? { name: 'enable', word: t.on.act(), icon: 'play' as const, act: enable } : { name: 'reopen', word: t.reopen.act(), icon: 'retry' as const, act: reopen }
  return <Button id={id} className={className} reason={refusal(cron, of.name)} disabled={of.act.isPending} onClick={() => of.act.mutate(cron)}><Icon name={of.icon} />{of.word}</Button>
}
