// A filter that is applied: grey key, strong value, a cross that takes it away.
import { cn } from '@/lib/utils'
import { Icon } from './icons'

export function Chip({ name, value, removeLabel, onRemove }: { name: string; value: string; removeLabel: string; onRemove: () => void }) {
  return (
    <span data-slot="chip" className="inline-flex h-6 max-w-full items-center gap-[5px] rounded-sm border border-border-strong bg-card pl-2 text-xs whitespace-nowrap">
      <span className="text-muted-foreground">{name}</span>
      <span className="truncate font-medium">{value}</span>
      <button type="button" aria-label={removeLabel} onClick={onRemove} className="grid h-[22px] w-6 place-items-center text-muted-foreground hover:text-foreground">
        <Icon name="x" className="size-3" />
      </button>
    </span>
  )
}

export function Kbd({ className, children }: { className?: string; children: string }) {
  return <kbd data-slot="kbd" className={cn('min-w-[18px] rounded-sm border border-border-strong bg-muted px-[5px] text-center font-sans text-2xs font-medium text-muted-foreground', className)}>{children}</kbd>
}
