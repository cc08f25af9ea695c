// The default layout: top bar, side navigation that remembers, and the page.
import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, useEffect, useState } from 'react'
import { restThenLoad } from '@/components/ui/load-floating'
import { Piece } from '@/components/ui/piece'
import { useRole, useUser } from '@/features/auth/queries'
import { isPaletteKey, useHotkeys } from '@/lib/hotkeys'
import { recall, remember } from '@/lib/storage'
import { setLanguage } from '@/lib/texts'
import { cn } from '@/lib/utils'
import { pagesOf } from './pages'
import { type Counts, SideNav } from './side-nav'
import { t } from './texts'
import { TopBar } from './top-bar'

const KeyboardHelp = lazy(() => import('./keyboard-help'))
const Palette = lazy(() => import('./palette/palette'))

function isPhone(): boolean {
  return matchMedia('(max-width: 639px)').matches
}

export function AppShell({ counts }: { counts: Counts }) {
  const [menuOpen, setMenuOpen] = useState(() => !isPhone() && recall('nav') !== 'folded')
  const [help, setHelp] = useState(false)
  const [palette, setPalette] = useState(false)
  const user = useUser()
  const role = useRole()
  const navigate = useNavigate()
  useEffect(() => {
    document.documentElement.style.setProperty('--row', `${user?.row_height ?? 32}px`)
  }, [user?.row_height])

  useEffect(() => {
    if (user?.language) setLanguage(user.language)
  }, [user?.language])

  useEffect(restThenLoad, [])
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return
      event.preventDefault()
      // Over an open dialog it would lose what is typed there.
      if (!document.querySelector('[data-slot="dialog"]')) setPalette(true)
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])
  useHotkeys({
    '?': () => setHelp(true),
    ...Object.fromEntries(pagesOf(role?.role).filter((page) => page.key).map((page) => [`g ${page.key ?? ''}`, () => void navigate({ to: page.to })])),
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
        <TopBar menuOpen={menuOpen} onToggleMenu={toggleMenu} onHelp={() => setHelp(true)} onPalette={() => setPalette(true)} />
        <SideNav open={menuOpen} counts={counts} onGo={() => { if (isPhone()) setMenuOpen(false) }} />
        <main id="content" tabIndex={-1} className="flex min-h-0 min-w-0 flex-col overflow-x-hidden overflow-y-auto pr-3 pb-3 pl-1 outline-none max-sm:overflow-visible max-sm:px-3">
          <Outlet />
        </main>
      </div>
      {palette ? <Piece onLost={() => setPalette(false)}><Palette onClose={() => setPalette(false)} onHelp={() => setHelp(true)} /></Piece> : null}
      {help ? <Piece onLost={() => setHelp(false)}><KeyboardHelp onClose={() => setHelp(false)} /></Piece> : null}
    </>
  )
}
