// The pages that every page's tests go through: a page added here is checked by axe in both themes, walked by keyboard, and tried on a phone.
import { expect, type Page } from '@playwright/test'
import { call } from './api'

export type TestedPage = {
  /** Where it is, or how the newest one of its kind is found. */
  path: string | ((page: Page) => Promise<string>)
  /** The heading, with which the window's title begins. */
  heading: string
  /** Whose page it is; a bailiff's when it is not said. */
  user?: 'taitur' | 'koda' | 'arendaja'
  /** The name of a table whose rows j and k walk. */
  table?: string
}

type Newest = { member: Array<{ id: number; bulkAction?: { id: number } }> }

const newestJob = async (page: Page) => (await call<Newest>(page, 'GET', '/v2/jobs?queue[]=register&limit=1')).member[0]
const newestOrder = async (page: Page) => (await call<Newest>(page, 'GET', '/v2/operator_actions?limit=1')).member[0]

export const PAGES: TestedPage[] = [
  { path: '/dashboard', heading: 'Töölaud' },
  { path: '/case_list', heading: 'Toimikud', table: 'Toimikute tabel' },
  { path: '/bulk_actions', heading: 'Masstegevused' },
  { path: async (page) => `/bulk_actions/${(await newestJob(page))?.bulkAction?.id}`, heading: 'Sünkrooni täitmisregistriga', table: 'Alamtegevused' },
  { path: '/jobs', heading: 'Tööd', table: 'Tööde loend' },
  { path: async (page) => `/jobs/${(await newestJob(page))?.id}`, heading: 'Sünkrooni registriga' },
  { path: '/views', heading: 'Salvestatud vaated', table: 'Salvestatud vaated' },
  { path: '/queues', heading: 'Järjekorrad', table: 'Järjekorrad' },
  { path: '/queues/bulk', heading: 'Masstegevused' },
  { path: '/errors', heading: 'Vead' },
  { path: '/mail_preferences', heading: 'E-kirjad' },
  { path: '/jobs', heading: 'Tööd', user: 'arendaja', table: 'Tööde loend' },
  { path: '/operator_actions', heading: 'Hulgitegevused', user: 'arendaja', table: 'Hulgitegevused' },
  { path: async (page) => `/operator_actions/${(await newestOrder(page))?.id}`, heading: 'Korda töid', user: 'arendaja', table: 'Tööd selles tegevuses' },
  { path: '/audit', heading: 'Tegevuste logi', user: 'arendaja', table: 'Logi kirjed' },
  { path: '/queues', heading: 'Järjekorrad', user: 'arendaja', table: 'Järjekorrad' },
  { path: '/queues/register', heading: 'Registrid', user: 'arendaja' },
  { path: '/queues/arrest', heading: 'Arestid', user: 'arendaja' },
  { path: '/queues/cron', heading: 'Ajastatud', user: 'arendaja' },
  { path: '/crons', heading: 'Ajastatud tööd', user: 'arendaja', table: 'Ajastatud tööd' },
  { path: '/crons/2', heading: 'Lõppenud seansside koristus', user: 'koda' },
  { path: '/alerts', heading: 'Häired', user: 'koda' },
  { path: '/mailbox', heading: 'Postkast', user: 'arendaja', table: 'Postkast' },
  { path: '/workers', heading: 'Töötlejad', user: 'koda' },
]

export const USERS = ['taitur', 'koda', 'arendaja'] as const

export function pagesOf(user: (typeof USERS)[number]): TestedPage[] {
  return PAGES.filter((page) => (page.user ?? 'taitur') === user)
}

/** Opens the page and waits until it stands still. */
export async function openPage(page: Page, { path, heading }: TestedPage): Promise<void> {
  await page.goto(typeof path === 'string' ? path : await path(page))
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  await expect(page.locator('[data-slot="bone"], .sweep')).toHaveCount(0)
  // A page of one thing says which one.
  await expect(page).toHaveTitle(typeof path === 'string' ? `${heading} · Toimik` : new RegExp(`^${heading} .*\\d · Toimik$`))
}

/** Controls that may come while the page is walked. */
const LATE = 20

/**
 * Tab comes to every control of the page, in turn and each time in sight, and is caught by none. A list that moves under the
 * walk may carry one past it: what was missed is walked to once more.
 */
export async function walkByTab(page: Page): Promise<void> {
  if ((await walk(page)).length === 0) return
  expect(await walk(page), 'controls that Tab does not reach').toEqual([])
}

/** One walk; returns what it did not reach. */
async function walk(page: Page): Promise<string[]> {
  const total = await page.evaluate(() => {
    (document.activeElement as HTMLElement | null)?.blur()
    for (const one of document.querySelectorAll<HTMLElement>('[data-walk]')) delete one.dataset.walk
    getSelection()?.removeAllRanges()
    const groups = new Set<string>()
    const shown = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]')].filter((one) => {
      if (one.tabIndex < 0 || one.matches(':disabled') || !one.checkVisibility({ visibilityProperty: true })) return false
      // Of a group of radio buttons Tab comes to one.
      if (!(one instanceof HTMLInputElement) || one.type !== 'radio') return true
      return !groups.has(one.name) && groups.add(one.name)
    })
    for (const one of shown) one.dataset.walk = one instanceof HTMLInputElement && one.type === 'radio' ? one.name : ''
    return shown.length
  })
  // What comes after the count (a chart) is a stop more on the way, and none that has to be reached.
  const marked = page.locator('[data-walk]')
  for (let step = 0; step < total || (step < total + LATE && (await marked.count()) > 0); step++) {
    await page.keyboard.press('Tab')
    const hidden = await page.evaluate(() => {
      const one = document.activeElement as HTMLElement
      const radio = one instanceof HTMLInputElement && one.type === 'radio' ? one.name : null
      const marked = radio === null ? one : document.querySelector<HTMLElement>(`[data-walk="${CSS.escape(radio)}"]`)
      if (marked) delete marked.dataset.walk
      const box = one.getBoundingClientRect()
      return box.bottom < 0 || box.top > innerHeight ? one.outerHTML.slice(0, 200) : null
    })
    expect(hidden, 'a control with the focus is in sight').toBeNull()
  }
  return marked.evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 200)))
}

/** j and k walk the rows; the page's own help says so. */
export async function walkByRows(page: Page, table: string): Promise<void> {
  const rows = page.getByRole('table', { name: table }).locator('tr[data-row]')
  await expect(rows.first()).toBeVisible()
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('j')
  await expect(rows.first()).toHaveAttribute('data-here', 'true')
  if (await rows.count() > 1) {
    await page.keyboard.press('j')
    await expect(rows.nth(1)).toHaveAttribute('data-here', 'true')
    await page.keyboard.press('k')
    await expect(rows.first()).toHaveAttribute('data-here', 'true')
  }
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Kiirklahvid' })).toBeVisible()
  await page.keyboard.press('Escape')
}
