// The pages of the console, told once: the menu shows them, the palette finds them, "g" and a letter open them.
import type { LinkProps } from '@tanstack/react-router'
import type { RoleName } from '@/api/types'
import type { IconName } from '@/components/ui/icons'
import { t } from './texts'

export type PageGroup = 'work' | 'operations'
export type PageEntry = {
  to: NonNullable<LinkProps['to']>
  icon: IconName
  word: () => string
  group: PageGroup
  /** After "g"; "g" and this letter open the page. */
  key?: string
  /** Words by which the palette finds it, in both languages. */
  find: string
  /** Who has the page; everybody when it is not said. */
  roles?: readonly RoleName[]
}

export const PAGES: readonly PageEntry[] = [
  { to: '/dashboard', icon: 'home', word: t.dashboard, group: 'work', key: 'd', find: 'töölaud dashboard' },
  { to: '/case_list', icon: 'folder', word: t.cases, group: 'work', key: 't', find: 'toimikud loend cases list' },
  { to: '/bulk_actions', icon: 'layers', word: t.bulkActions, group: 'work', key: 'm', find: 'masstegevused ajalugu bulk actions history' },
  { to: '/queues', icon: 'queue', word: t.queues, group: 'operations', key: 'j', find: 'järjekorrad seis registrid queues registers state' },
  { to: '/jobs', icon: 'job', word: t.jobs, group: 'operations', key: 'o', find: 'tööd loend jobs list' },
  { to: '/errors', icon: 'err', word: t.errors, group: 'operations', key: 'v', find: 'vead ebaõnnestunud errors failed' },
  { to: '/crons', icon: 'calendar', word: t.crons, group: 'operations', key: 'k', find: 'ajastatud tööd ajakava kell scheduled jobs crons', roles: ['koda', 'dev'] },
  { to: '/alerts', icon: 'bell', word: t.alerts, group: 'operations', key: 'i', find: 'häired reeglid alerts rules', roles: ['koda', 'dev'] },
  { to: '/workers', icon: 'worker', word: t.workers, group: 'operations', key: 'w', find: 'töötlejad masinad protsessid workers machines', roles: ['koda', 'dev'] },
  { to: '/operator_actions', icon: 'retry', word: t.operatorActions, group: 'operations', key: 'h', find: 'hulgitegevused kordamine katkestamine operator actions retry cancel' },
  { to: '/mailbox', icon: 'inbox', word: t.mailbox, group: 'operations', key: 'p', find: 'postkast e-kirjad mailbox e-mail', roles: ['dev'] },
  { to: '/audit', icon: 'audit', word: t.audit, group: 'operations', key: 'l', find: 'tegevuste logi audit log' },
  { to: '/views', icon: 'bookmark', word: t.views, group: 'operations', key: 'a', find: 'salvestatud vaated saved views' },
]

/** The pages of a role; before the role is known, those of everybody. */
export function pagesOf(role: RoleName | undefined): PageEntry[] {
  return PAGES.filter((page) => !page.roles || (role !== undefined && page.roles.includes(role)))
}
