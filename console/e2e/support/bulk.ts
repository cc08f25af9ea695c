// Steps that the tests of bulk actions share.
import { expect, type Locator, type Page } from '@playwright/test'

/** "5 000" with its non-breaking space, as a number. */
export function figure(text: string | null): number {
  return Number((text ?? '').replace(/\D/g, ''))
}

/** The matches that the list announces, once they are counted. */
export async function matches(page: Page): Promise<number> {
  const said = page.getByRole('status').filter({ hasText: /vaste/ })
  await expect(said).toBeVisible()
  return figure(await said.textContent())
}

/** Opens the launch dialog of a bulk action over what the list shows. */
export async function openLaunch(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Masstegevus', exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  return dialog
}

/** Types the number where it is asked for and starts; returns the number of cases. */
export async function confirmLaunch(page: Page, dialog: Locator, verb: RegExp): Promise<number> {
  const start = dialog.getByRole('button', { name: verb })
  // The number comes with the preview; until then it is none.
  await expect(start).toHaveText(/[1-9]/)
  const count = figure(await start.textContent())
  const typed = dialog.getByLabel(/^Kinnitamiseks kirjuta/)
  if (await typed.isVisible()) {
    await expect(start).toHaveAttribute('aria-disabled', 'true')
    await typed.fill(String(count))
  }
  await start.click()
  await expect(page).toHaveURL(/\/bulk_actions\/\d+$/)
  return count
}

/** The count on a tab of an action's page. */
export async function tabCount(page: Page, word: string): Promise<number> {
  return figure(await page.getByRole('navigation', { name: 'Alamtegevuste olek' }).getByRole('link', { name: new RegExp(`^${word}`) }).textContent())
}

/** Waits until the action of the address is the one on screen: the address changes first. */
async function untilShown(page: Page): Promise<void> {
  await expect.poll(async () => figure(await page.title()) === Number(new URL(page.url()).pathname.split('/').at(-1))).toBe(true)
}

/** Waits until nothing of the action of this page moves any more: a bulk action or an operator's. */
export async function untilEnded(page: Page, ms: number): Promise<void> {
  await untilShown(page)
  await expect(page.getByRole('region', { name: 'Edenemine' }).getByText('Kestis')).toBeVisible({ timeout: ms })
}

export async function openTab(page: Page, word: string): Promise<void> {
  const link = page.getByRole('navigation', { name: 'Alamtegevuste olek' }).getByRole('link', { name: new RegExp(`^${word}`) })
  await link.click()
  await expect(link).toHaveAttribute('aria-current', 'page')
}

/** Pauses the action of this page by the API, as if somebody else had done it. */
export async function pause(page: Page): Promise<void> {
  const status = await page.evaluate(async () => {
    const { token } = await (await fetch('/api/auth/verify', { method: 'POST' })).json()
    const id = location.pathname.split('/').at(-1)
    return (await fetch(`/api/v2/bulk_action/${id}/pause`, { method: 'PUT', headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body: '{}' })).status
  })
  expect(status).toBe(200)
}
