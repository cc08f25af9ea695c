// The default layout: top bar, side navigation that remembers, and the page.
import { Outlet } from '@tanstack/react-router'
import { lazy, useEffect, useState } from 'react'
import { restThenLoad } from '@/components/ui/load-floating'
import { Piece } from '@/components/ui/piece'
import { useUser } from '@/features/auth/queries'
import { useHotkeys } from '@/lib/hotkeys'
import { recall, remember } from '@/lib/storage'
import { setLanguage } from '@/lib/texts'
import { cn } from '@/lib/utils'
import { SideNav } from './side-nav'
import { t } from './texts'
import { TopBar } from './top-bar'

const KeyboardHelp = lazy(() => import('./keyboard-help'))

function isPhone(): boolean {
  return matchMedia('(max-width: 639px)').matches
}

export function AppShell({ running }: { running: number }) {
  const [menuOpen, setMenuOpen] = useState(() => !isPhone() && recall('nav') !== 'folded')
  const [help, setHelp] = useState(false)
  const user = useUser()
  useEffect(() => {
    document.documentElement.style.setProperty('--row', `${user?.row_height ?? 32}px`)
  }, [user?.row_height])

  useEffect(() => {
    if (user?.language) setLanguage(user.language)
  }, [user?.language])

  useEffect(restThenLoad, [])
  useHotkeys({
    '?': () => setHelp(true),
    // On a phone the menu lies over the page.
    ...(menuOpen && isPhone()
      ? {
          Escape: () => {
            setMenuOpen(false)
            document.querySelector<HTMLElement>('[aria-controls="menu"]')?.focus()
          },
        }
      : {}),
  })

  function toggleMenu() {
    if (!isPhone()) remember('nav', menuOpen ? 'folded' : 'open')
    setMenuOpen(!menuOpen)
  }

  return (
    <>
      <a href="#content" className="absolute -top-12 left-2 z-50 rounded-md bg-primary px-3 py-1.5 text-primary-foreground focus:top-2">{t.skip()}</a>
      <div
        className={cn(
          'grid h-dvh grid-rows-[var(--topbar)_minmax(0,1fr)] max-sm:h-auto max-sm:min-h-dvh max-sm:grid-cols-[minmax(0,1fr)] max-sm:grid-rows-[48px_auto]',
          menuOpen ? 'grid-cols-[var(--nav)_minmax(0,1fr)]' : 'grid-cols-[var(--nav-folded)_minmax(0,1fr)]',
        )}
      >
        <TopBar menuOpen={menuOpen} onToggleMenu={toggleMenu} onHelp={() => setHelp(true)} />
        <SideNav open={menuOpen} running={running} onGo={() => { if (isPhone()) setMenuOpen(false) }} />
        <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-col overflow-x-hidden overflow-y-auto pr-3 pb-3 pl-1 outline-none max-sm:overflow-visible max-sm:px-3">
          <Outlet />
        </main>
      </div>
      {help ? <Piece onLost={() => setHelp(false)}><KeyboardHelp onClose={() => setHelp(false)} /></Piece> : null}
    </>
  )
}
