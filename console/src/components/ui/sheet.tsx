// The sheet that work lies on, its bars, and the index tabs that stand up from it.
import { Link, type LinkProps } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import type { Count } from '@/api/operations'
import { countText } from '@/lib/counts'
import { cn } from '@/lib/utils'
import { type Tone, toneText } from './badge'
import { Icon, type IconName } from './icons'

export function Sheet({ fill = false, className, ...props }: ComponentProps<'section'> & { fill?: boolean }) {
  return (
    <section
      data-slot="sheet"
      className={cn('min-w-0 rounded-lg border border-border-strong bg-card', fill && 'flex min-h-0 flex-1 flex-col overflow-hidden', className)}
      {...props}
    />
  )
}

export function Bar({ thin = false, className, ...props }: ComponentProps<'div'> & { thin?: boolean }) {
  return <div data-slot="bar" className={cn('flex flex-none items-center gap-2 border-b px-3', thin ? 'min-h-9 py-1' : 'min-h-11 py-2', className)} {...props} />
}

export function FootBar({ className, ...props }: ComponentProps<'div'>) {
  return <div data-slot="foot-bar" className={cn('flex h-10 flex-none items-center gap-3 border-t px-3 text-xs text-muted-foreground', className)} {...props} />
}

/** An icon that stands for nothing: neither toned nor turning. */
export const quiet = 'text-muted-foreground [animation:none]!'

export type IndexTab = { key: string; word: string; count?: number | Count | undefined; icon?: IconName; tone?: Tone; current: boolean; link: LinkProps }

function asCount(count: number | Count): Count {
  return typeof count === 'number' ? { value: count, kind: 'exact' } : count
}

/** Filters by state: each a link with its count, the current one joined to the sheet. */
export function IndexTabs({ label, tabs, className }: { label: string; tabs: IndexTab[]; className?: string }) {
  const row = useRef<HTMLElement>(null)
  const current = tabs.find((tab) => tab.current)?.key
  const counted = tabs.some((tab) => tab.count !== undefined)
  // Where the tabs are wider than the window, the current one is brought into sight.
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && tab) row.current.scrollLeft = tab.offsetLeft - (row.current.clientWidth - tab.offsetWidth) / 2
  }, [current, counted])
  return (
    <nav ref={row} aria-label={label} data-slot="index-tabs" className={cn('relative z-[1] -mb-px flex flex-none items-end overflow-x-auto px-3 [scrollbar-width:none]', className)}>
      {tabs.map((tab) => {
        const count = tab.count === undefined ? undefined : asCount(tab.count)
        return (
        <Link
          key={tab.key}
          {...tab.link}
          activeOptions={{ exact: true }} // else a tab without a filter is current beside each that has one
          aria-current={tab.current ? 'page' : undefined}
          data-slot="index-tab"
          className={cn(
            'flex h-8 items-center gap-1.5 rounded-t-md border border-b-0 border-transparent px-[9px] whitespace-nowrap text-muted-foreground -outline-offset-2 max-sm:h-10',
            tab.current ? 'h-[34px] border-border-strong bg-card font-medium text-foreground shadow-[inset_0_2px_0_var(--foreground)]' : 'hover:bg-accent hover:text-foreground',
          )}
        >
          {tab.icon ? <Icon name={tab.icon} className={cn('size-3.5', count?.value === 0 ? quiet : toneText[tab.tone ?? 'plain'])} /> : null}
          {tab.word}
          {count === undefined ? null : <b className={cn('text-xs font-medium', count.value === 0 ? 'text-muted-foreground' : 'text-foreground')}>{countText(count)}</b>}
        </Link>
        )
      })}
    </nav>
  )
}

export function PageHead({ title, meta, crumbs, below, children }: { title: ReactNode; meta?: ReactNode; crumbs?: ReactNode; below?: ReactNode; children?: ReactNode }) {
  return (
    <div data-slot="page-head" className="flex flex-none flex-wrap items-center gap-x-4 px-4 pt-2 pb-3 max-sm:px-0">
      <div className="min-w-0 flex-1 wrap-anywhere max-lg:flex-auto">
        {crumbs}
        <div className="flex flex-wrap items-center gap-x-3">
          <h1 tabIndex={-1} id="title">{title}</h1>
          {meta}
        </div>
      </div>
      {children ? <div className="order-1 ml-auto flex flex-none flex-wrap items-center gap-2 max-lg:my-1 max-sm:order-3 max-sm:mt-2 max-sm:flex-auto max-sm:justify-end">{children}</div> : null}
      {below ? <div className="order-2 w-full min-w-0 wrap-anywhere">{below}</div> : null}
    </div>
  )
}
