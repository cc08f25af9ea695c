// The side navigation: full, folded to icons, or over the page on a phone.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon, type IconName } from '@/components/ui/icons'
import { useRole } from '@/features/auth/queries'
import { isoDay, longDay } from '@/lib/format'
import { cn } from '@/lib/utils'
import { type PageEntry, type PageGroup, pagesOf } from './pages'
import { t } from './texts'

/** What runs, what is wrong, and which alerts are open. */
export type Counts = { running: number; wrong: number; firing: number }

/** A count at the end of its line; in a menu that is folded to icons, a dot. */
function Mark({ icon, tone, count, said, open }: { icon: IconName; tone: string; count: number; said: string; open: boolean }) {
  if (count === 0) return null
  if (!open) {
    return (
      <>
        <span aria-hidden="true" className={cn('absolute top-1 right-1 size-1.5 rounded-full bg-current', tone)} />
        <span className="sr-only">{said}</span>
      </>
    )
  }
  return (
    <span className={cn('num ml-auto flex items-center gap-1 text-2xs font-medium', tone)} title={said}>
      <Icon name={icon} className="size-3.5" />
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{said}</span>
    </span>
  )
}

function Entry({ page, open, counts, onGo }: { page: PageEntry; open: boolean; counts: Counts; onGo: () => void }) {
  const word = page.word()
  return (
    <Link
      to={page.to}
      onClick={onGo}
      title={open ? undefined : word}
      activeProps={{ 'aria-current': 'page' }}
      className="relative flex h-7 flex-none items-center gap-2.5 rounded-md px-2 text-muted-foreground hover:bg-accent hover:text-foreground aria-[current]:bg-card aria-[current]:font-medium aria-[current]:text-foreground aria-[current]:shadow-[0_0_0_1px_var(--border-strong)] max-sm:h-11"
    >
      <Icon name={page.icon} />
      <span className={cn(!open && 'sr-only')}>{word}</span>
      {page.to === '/bulk_actions' ? <Mark icon="run" tone="text-run" count={counts.running} said={t.running(counts.running)} open={open} /> : null}
      {page.to === '/queues' ? <Mark icon="err" tone="text-err" count={counts.wrong} said={t.wrong(counts.wrong)} open={open} /> : null}
      {page.to === '/alerts' ? <Mark icon="err" tone="text-err" count={counts.firing} said={t.firing(counts.firing)} open={open} /> : null}
    </Link>
  )
}

const groups: Array<{ key: PageGroup; word: (() => string) | null }> = [{ key: 'work', word: null }, { key: 'operations', word: t.operations }]

export function SideNav({ open, counts, onGo }: { open: boolean; counts: Counts; onGo: () => void }) {
  const role = useRole()
  const [today] = useState(() => isoDay(Date.now()))
  const pages = pagesOf(role?.role)
  return (
    <nav
      id="menu"
      aria-label={t.mainNav()}
      className={cn('flex min-h-0 flex-col gap-px overflow-auto px-2 pt-1 pb-3', open ? 'max-sm:fixed max-sm:inset-x-0 max-sm:top-12 max-sm:bottom-0 max-sm:z-20 max-sm:bg-background' : 'max-sm:hidden')}
    >
      {groups.map(({ key, word }) => {
        const own = pages.filter((page) => page.group === key)
        if (own.length === 0) return null
        return (
          <div key={key} className="flex flex-none flex-col gap-px">
            {word ? <h2 className={cn('px-2 text-2xs font-medium text-muted-foreground', open ? 'pt-3 pb-0.5' : 'mt-2 border-t pt-2')}><span className={cn(!open && 'sr-only')}>{word()}</span></h2> : null}
            {own.map((page) => <Entry key={page.to} page={page} open={open} counts={counts} onGo={onGo} />)}
          </div>
        )
      })}
      {open ? (
        <p className="mt-auto px-2 pt-3 text-2xs text-muted-foreground">
          {role?.tenant_name}
          <br />
          {longDay(today)}
        </p>
      ) : null}
    </nav>
  )
}
