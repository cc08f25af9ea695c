// A part of a page on its own sheet: title, a hint beside it, and what stands at the right.
import { type ReactNode, useId } from 'react'
import { Sheet } from './sheet'

export function Part({ title, hint, aside, children }: { title: string; hint?: ReactNode; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <Sheet aria-labelledby={id} className="overflow-hidden">
      <header className="flex min-h-11 flex-wrap items-center gap-x-2 border-b px-3 py-1.5">
        <h2 id={id}>{title}</h2>
        {hint ? <span className="text-xs text-muted-foreground">{hint}</span> : null}
        {aside ? <span className="ml-auto text-xs text-muted-foreground">{aside}</span> : null}
      </header>
      {children}
    </Sheet>
  )
}
