// The bar above everything: menu toggle, brand, the palette's opener, theme, keyboard help, role and language, sign-out.
import { Link } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { report } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/chip'
import { Icon, Mark } from '@/components/ui/icons'
import { Menu, MenuChoice, MenuItem, MenuLine } from '@/components/ui/menu'
import { Piece } from '@/components/ui/piece'
import { selectRole, useRole, useSaveUser, useUser } from '@/features/auth/queries'
import { roleShort, roleWord } from '@/features/auth/status'
import { common } from '@/lib/common'
import { setLanguage, useLanguage } from '@/lib/texts'
import { toggleTheme, useDark } from '@/lib/theme'
import { t } from './texts'

const MailPreferences = lazy(() => import('@/features/mail/preferences-dialog'))

function RoleMenu() {
  const user = useUser()
  const role = useRole()
  const language = useLanguage()
  const save = useSaveUser()
  const [switching, setSwitching] = useState(false)
  const [mail, setMail] = useState(false)
  if (!user || !role) return <span className="h-7 w-40" />

  async function change(id: number) {
    if (id === role?.id) return
    setSwitching(true)
    try {
      await selectRole(id)
      location.assign('/dashboard')
    } catch (error) {
      report(error)
      setSwitching(false)
    }
  }

  return (
    <>
      <Menu
        trigger={
          <button type="button" id="role-menu" disabled={switching} className="flex h-7 min-w-0 items-center gap-2 rounded-md px-2 hover:bg-accent aria-expanded:bg-accent max-sm:h-10">
            <span className="rounded-sm border border-input px-[5px] text-2xs font-semibold">{role.tenant_code}</span>
            <span className="truncate max-sm:sr-only">
              <span className="font-medium">{user.name}</span> <span className="text-muted-foreground">· {roleShort[role.role]()}</span>
            </span>
            <Icon name="down" className="size-3.5" />
          </button>
        }
      >
        <MenuChoice
          label={t.role()}
          value={role.id}
          onChange={(id) => void change(id)}
          options={user.roles.map((choice) => ({ value: choice.id, word: `${choice.tenant_code} · ${roleWord[choice.role]()}`, hint: choice.tenant_name }))}
        />
        <MenuLine />
        <MenuChoice
          label={t.language()}
          value={language}
          onChange={(next) => {
            save.mutate({ language: next })
            setLanguage(next)
            // Everything is drawn anew: the focus goes back to where the menu was opened.
            requestAnimationFrame(() => document.getElementById('role-menu')?.focus())
          }}
          options={[{ value: 'et' as const, word: 'Eesti' }, { value: 'en' as const, word: 'English' }]}
        />
        <MenuLine />
        <MenuChoice
          label={t.rowHeight()}
          value={user.row_height}
          onChange={(next) => save.mutate({ row_height: next })}
          options={[{ value: 28 as const, word: t.compact() }, { value: 32 as const, word: t.normal() }, { value: 40 as const, word: t.roomy() }]}
        />
        <MenuLine />
        <MenuItem onClick={() => setMail(true)}>{t.mail()}</MenuItem>
      </Menu>
      {mail ? <Piece onLost={() => setMail(false)}><MailPreferences onClose={() => setMail(false)} /></Piece> : null}
    </>
  )
}

const APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const PALETTE_KEY = APPLE ? '⌘ K' : 'Ctrl K'

/** What looks like a search box opens the palette; on a phone it is an icon. */
function PaletteOpener({ onOpen }: { onOpen: () => void }) {
  return (
    <>
      <button
        type="button"
        id="palette-opener"
        aria-haspopup="dialog"
        aria-keyshortcuts={APPLE ? 'Meta+K' : 'Control+K'}
        onClick={onOpen}
        className="flex h-7 min-w-0 flex-[0_1_360px] items-center gap-2 rounded-md border border-input bg-card px-2 text-left text-muted-foreground hover:border-foreground max-sm:hidden dark:bg-[color-mix(in_oklab,var(--card)_60%,var(--background))]"
      >
        <Icon name="search" className="size-3.5" />
        <span className="flex-1 truncate">{t.palette()}</span>
        <Kbd className="max-md:hidden">{PALETTE_KEY}</Kbd>
      </button>
      <span className="ml-auto" />
      <Button variant="ghost" size="icon" className="hidden max-sm:inline-flex max-sm:size-10" aria-label={t.palette()} title={t.palette()} aria-haspopup="dialog" onClick={onOpen}>
        <Icon name="search" />
      </Button>
    </>
  )
}

export function TopBar({ menuOpen, onToggleMenu, onHelp, onPalette }: { menuOpen: boolean; onToggleMenu: () => void; onHelp: () => void; onPalette: () => void }) {
  const dark = useDark()
  const toggle = menuOpen ? t.hideMenu() : t.showMenu()
  const theme = dark ? common.light() : common.dark()
  return (
    <header className="col-span-full flex min-w-0 items-center gap-2 pr-3 pl-2 max-sm:border-b">
      <Button variant="ghost" size="icon" className="aria-expanded:not-hover:bg-transparent max-sm:size-10" aria-label={toggle} title={toggle} aria-expanded={menuOpen} aria-controls="menu" onClick={onToggleMenu}>
        <Icon name="menu" />
      </Button>
      <Link to="/dashboard" aria-label={t.toDashboard()} className="flex min-h-6 flex-none items-center gap-2 text-md font-semibold tracking-[-0.015em] sm:w-36">
        <Mark />
        {common.product()}
      </Link>
      <PaletteOpener onOpen={onPalette} />
      <Button variant="ghost" size="icon" className="max-sm:size-10" aria-label={theme} title={theme} onClick={toggleTheme}>
        <Icon name={dark ? 'sun' : 'moon'} />
      </Button>
      <Button variant="ghost" size="icon" className="max-sm:hidden" aria-label={t.keyboard()} title={t.keyboard()} onClick={onHelp}>
        <Icon name="help" />
      </Button>
      <RoleMenu />
      <Link to="/logout" preload={false} aria-label={common.signOut()} title={common.signOut()} className="grid size-7 shrink-0 place-items-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground max-sm:size-10">
        <Icon name="out" />
      </Link>
    </header>
  )
}
