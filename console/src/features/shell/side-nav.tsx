// The side navigation: full, folded to icons, or over the page on a phone.
import { Link, type LinkProps } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon, type IconName } from '@/components/ui/icons'
import { useRole } from '@/features/auth/queries'
import { isoDay, longDay } from '@/lib/format'
import { cn } from '@/lib/utils'
import { t } from './texts'

type Entry = { to: LinkProps['to']; icon: IconName; word: string; running?: number }

export function SideNav({ open, running, onGo }: { open: boolean; running: number; onGo: () => void }) {
  const role = useRole()
  const [today] = useState(() => isoDay(Date.now()))
  const entries: Entry[] = [
    { to: '/dashboard', icon: 'home', word: t.dashboard() },
    { to: '/case_list', icon: 'folder', word: t.cases() },
    { to: '/bulk_actions', icon: 'layers', word: t.bulkActions(), running },
  ]
  return (
    <nav
      id="menu"
      aria-label={t.mainNav()}
      className={cn('flex min-h-0 flex-col gap-px overflow-auto px-2 pt-1 pb-3', open ? 'max-sm:fixed max-sm:inset-x-0 max-sm:top-12 max-sm:bottom-0 max-sm:z-20 max-sm:bg-background' : 'max-sm:hidden')}
    >
      {entries.map((entry) => (
        <Link
          key={entry.to}
          to={entry.to}
          onClick={onGo}
          title={open ? undefined : entry.word}
          activeProps={{ 'aria-current': 'page' }}
          className="flex h-7 flex-none items-center gap-2.5 rounded-md px-2 text-muted-foreground hover:bg-accent hover:text-foreground aria-[current]:bg-card aria-[current]:font-medium aria-[current]:text-foreground aria-[current]:shadow-[0_0_0_1px_var(--border-strong)] max-sm:h-11"
        >
          <Icon name={entry.icon} />
          <span className={cn(!open && 'sr-only')}>{entry.word}</span>
          {entry.running ? (
            <span className={cn('ml-auto flex items-center gap-1 text-2xs font-medium text-run', !open && 'sr-only')} title={t.running(entry.running)}>
              <Icon name="run" className="size-3.5" />
              {entry.running}
            </span>
          ) : null}
        </Link>
      ))}
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
