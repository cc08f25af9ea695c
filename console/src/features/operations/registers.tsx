// The registers: whether they answer, at what pace they may be asked, how long they take.
import type { RegisterAnswer } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Part } from '@/components/ui/part'
import { Until } from '@/components/ui/span'
import { refusal } from '@/lib/allowed'
import { decimal } from '@/lib/format'
import { lastingWord } from '@/lib/span'
import { cn } from '@/lib/utils'
import { useProbe } from './queries'
import { LookBadge, registerLook, registerWord } from './status'
import { t } from './texts'

function Note({ of, held }: { of: RegisterAnswer; held: boolean }) {
  if (of.state === 'open' && held) return t.registers.held()
  if (of.state === 'open') return of.nextProbeAt ? <>{t.registers.probeIn()} <Until at={of.nextProbeAt} /></> : null
  if (of.state === 'recovering') return t.registers.share(Math.max(1, Math.round((of.allowedPerSecond / Math.max(of.ratePerSecond, 0.001)) * 100)))
  return t.registers.allowed(decimal(of.allowedPerSecond))
}

function Line({ of, held }: { of: RegisterAnswer; held: boolean }) {
  const probe = useProbe()
  const name = registerWord(of.name)
  const reason = refusal(of, 'probe')
  return (
    <li
      className={cn(
        'grid min-h-9 grid-cols-[minmax(0,132px)_108px_minmax(0,1fr)_62px_24px] items-center gap-2.5 border-t px-3 first:border-t-0 max-sm:grid-cols-[minmax(0,1fr)_auto_24px] max-sm:py-1.5',
        of.state === 'open' && 'shadow-[inset_2px_0_0_var(--err-solid)]',
        of.state === 'recovering' && 'shadow-[inset_2px_0_0_var(--warn-solid)]',
      )}
    >
      <span className="truncate font-medium" title={name}>{name}</span>
      <span><LookBadge look={registerLook[of.state]} /></span>
      <span className="num truncate text-xs text-muted-foreground max-sm:order-4 max-sm:col-span-2"><Note of={of} held={held} /></span>
      <span className="num text-right text-xs max-sm:order-5">{of.meanMs === null || of.state === 'open' ? '–' : lastingWord(of.meanMs)}</span>
      <Menu trigger={<Button variant="ghost" size="mini" aria-label={t.more(name)} title={t.more(name)}><Icon name="more" className="size-3.5!" /></Button>}>
        <MenuItem icon={<Icon name="refresh" className="size-3.5" />} disabled={reason !== null} hint={reason} onClick={() => probe.mutate(of.name)}>{t.down.probe()}</MenuItem>
      </Menu>
    </li>
  )
}

/** `held`: those whose queue is paused, so that nobody tries them. */
export function Registers({ of, held }: { of: RegisterAnswer[]; held: string[] }) {
  return (
    <Part title={t.registers.title()} aside={t.registers.hint()}>
      {of.length > 0 ? <ul>{of.map((one) => <Line key={one.name} of={one} held={held.includes(one.name)} />)}</ul> : <p className="px-3 py-3 text-muted-foreground">{t.registers.none()}</p>}
    </Part>
  )
}
