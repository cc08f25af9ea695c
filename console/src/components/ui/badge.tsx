// State badges: icon, word and tone; loudness climbs from done to failed.
import { cn } from '@/lib/utils'
import { Icon, type IconName } from './icons'

export type Tone = 'ok' | 'queued' | 'run' | 'warn' | 'err' | 'plain'

const look: Record<Tone, string> = {
  ok: 'text-muted-foreground [&_svg]:text-ok',
  queued: 'text-queued',
  run: 'font-medium text-run',
  warn: '-ml-[5px] bg-warn-bg pr-[7px] pl-[5px] font-medium text-warn',
  err: '-ml-[5px] bg-err-bg pr-[7px] pl-[5px] font-semibold text-err',
  plain: 'text-foreground [&_svg]:text-muted-foreground',
}
const boxed: Record<Tone, string> = {
  ok: 'bg-ok-bg font-medium text-ok',
  queued: 'bg-queued-bg font-medium text-queued',
  run: 'bg-run-bg font-medium text-run',
  warn: 'bg-warn-bg font-medium text-warn',
  err: 'bg-err-bg font-semibold text-err',
  plain: 'bg-muted',
}

export const toneText: Record<Tone, string> = { ok: 'text-ok', queued: 'text-queued', run: 'text-run', warn: 'text-warn', err: 'text-err', plain: 'text-muted-foreground' }

export function Badge({ tone, icon, box = false, className, children }: { tone: Tone; icon: IconName; box?: boolean; className?: string; children: string }) {
  return (
    <span
      data-slot="badge"
      data-tone={tone}
      className={cn('inline-flex h-5 items-center gap-[5px] rounded-sm align-middle text-xs leading-5 whitespace-nowrap [&_svg]:size-[13px]', box ? cn('pr-[7px] pl-[5px]', boxed[tone]) : look[tone], className)}
    >
      <Icon name={icon} />
      {children}
    </span>
  )
}
