// Things that live, are doubtful or lost, as small squares: full, half and hollow, so that the shape tells them apart too.
import { cn } from '@/lib/utils'

const look = {
  alive: 'bg-ok-solid',
  doubtful: 'bg-[linear-gradient(135deg,var(--warn-solid)_50%,var(--warn-bg)_50%)] shadow-[inset_0_0_0_1px_var(--warn-solid)]',
  lost: 'shadow-[inset_0_0_0_1.5px_var(--err-solid)]',
}
export type Square = keyof typeof look

const MOST = 24

/** Drawn only: what they say stands beside them in words. Where there are many, those that live are cut first. */
export function Squares({ of, className }: { of: Record<Square, number>; className?: string }) {
  const alive = Math.max(0, Math.min(of.alive, MOST - of.doubtful - of.lost))
  const all: Square[] = [...Array<Square>(alive).fill('alive'), ...Array<Square>(Math.min(of.doubtful, MOST)).fill('doubtful'), ...Array<Square>(Math.min(of.lost, MOST)).fill('lost')]
  return (
    <span data-slot="squares" aria-hidden="true" className={cn('flex min-h-2 flex-wrap items-center gap-[3px]', className)}>
      {all.map((square, index) => <i key={index} className={cn('block size-2 rounded-[2px]', look[square])} />)}
      {alive < of.alive ? <span className="text-2xs leading-2 text-muted-foreground">…</span> : null}
    </span>
  )
}
