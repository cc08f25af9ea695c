// Figures set like a ledger: the running number of a case and the whole euros stand, the rest steps back.
import { num, splitCents } from '@/lib/format'
import { cn } from '@/lib/utils'

export function CaseNumber({ number, className }: { number: string; className?: string }) {
  const cut = number.lastIndexOf('/') + 1
  return (
    <span data-slot="case-number" className={cn('font-medium whitespace-nowrap', className)}>
      <span className="font-normal text-muted-foreground">{number.slice(0, cut)}</span>
      {number.slice(cut)}
    </span>
  )
}

export function Amount({ cents, className }: { cents: number | null | undefined; className?: string }) {
  if (cents == null) return <span className="text-muted-foreground">–</span>
  const { euros, rest } = splitCents(cents)
  return (
    <span data-slot="amount" className={cn('whitespace-nowrap', cents === 0 && 'text-muted-foreground', className)}>
      {euros}
      <span className="font-normal text-muted-foreground">{rest}</span>
    </span>
  )
}

/** The one figure a page is about. */
export function Figure({ value, children }: { value: number; children?: React.ReactNode }) {
  return (
    <p data-slot="figure" className="display text-xl font-semibold tracking-[-0.022em]">
      {num(value)}
      {children ? <small className="ml-2 text-md font-normal tracking-normal text-muted-foreground">{children}</small> : null}
    </p>
  )
}

export function Facts({ items, className }: { items: Array<{ name: string; value: React.ReactNode }>; className?: string }) {
  return (
    <dl data-slot="facts" className={cn('flex', className)}>
      {items.map((item) => (
        <div key={item.name} className="min-w-0 border-l px-5 first:border-l-0 first:pl-0 last:pr-0 max-sm:flex-auto max-sm:px-2.5">
          <dt className="text-2xs whitespace-nowrap text-muted-foreground">{item.name}</dt>
          <dd className="font-medium whitespace-nowrap">{item.value}</dd>
        </div>
      ))}
    </dl>
  )
}
