// On the way home: an operator action and a bulk action are followed, stopped and repeated on a phone, by touch.
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { call } from './support/api'
import { untilEnded } from './support/bulk'
import { order, refuse, synchronise, untilSettled } from './support/examples'
import { chamber, signIn } from './support/sign-in'
import { behave } from './support/simulator'

test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true })
test.afterEach(behave)

/** Nothing is wider than the screen, and what is asked for lies whole under a finger. */
async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  await target.scrollIntoViewIfNeeded()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  const box = await target.boundingBox()
  expect(box?.height).toBeGreaterThanOrEqual(24)
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(780)
}

async function tap(page: Page, target: Locator): Promise<void> {
  await reach(page, target)
  await target.tap()
}

/** The failed jobs of a bulk action, made at a desk. */
async function failedAction(browser: Browser, filter: string): Promise<number> {
  const desk = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, isMobile: false })).newPage()
  await refuse('Register keeldus: telefoni proov, mille sõnad on pikad ja lähevad mitmele reale')
  await signIn(desk, 'mitu', chamber)
  const { id } = await synchronise(desk, filter)
  await desk.context().close()
  return id
}

test('an operator action is stopped, and what failed is retried', async ({ page, browser }) => {
  const bulkAction = await failedAction(browser, 'number=102%2F2026%2F')
  await signIn(page, 'mitu', chamber)
  await page.goto(`/operator_actions/${await order(page, 'retry', { bulkAction }, { perSecond: 1 })}`)
  const count = (word: string) => page.getByRole('region', { name: 'Edenemine' }).getByRole('listitem').filter({ hasText: word }).locator('b')
  await expect(count('ebaõnnestunud')).not.toHaveText('0', { timeout: 30_000 })
  await tap(page, page.getByRole('button', { name: 'Peata', exact: true }))
  await expect(page.getByText('Hulgitegevus on peatatud.', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await tap(page, page.locator('[data-slot="banner"]').getByRole('button', { name: 'Jätka' }))
  await expect(page.locator('[data-slot="banner"]')).toHaveCount(0)
  await tap(page, page.getByRole('button', { name: 'Lõpeta…' }))
  await expectAccessible(page)
  await tap(page, page.getByRole('dialog').getByRole('button', { name: 'Lõpeta hulgitegevus' }))
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await untilSettled(page)
  await expect(count('vahele jäetud')).not.toHaveText('0')
  await behave()
  const before = page.url()
  await tap(page, page.getByRole('button', { name: /^Korda ainult ebaõnnestunud/ }))
  await expect(page).not.toHaveURL(before)
  await untilSettled(page)
  await expect(count('tehtud')).not.toHaveText('0')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

test('the failed tasks of a bulk action are retried, and it is stopped', async ({ page, browser }) => {
  const action = await failedAction(browser, 'number=102%2F2026%2F5')
  await behave()
  await signIn(page, 'arendaja')
  const { id } = await call<{ id: number }>(page, 'POST', '/v2/pauses', { queue: 'register', reason: 'Telefoniproov' })
  await page.context().clearCookies()
  await signIn(page, 'mitu', chamber)
  await page.goto(`/bulk_actions/${action}`)
  const cards = page.getByRole('list', { name: 'Alamtegevused' })
  await expect(cards.getByRole('button', { name: 'Tehtuks' }).first()).toBeVisible()
  const cut = await cards.getByRole('listitem').evaluateAll((all) => all.filter((card) => card.scrollWidth > card.clientWidth).map((card) => card.textContent))
  expect(cut).toEqual([])
  await tap(page, page.getByRole('button', { name: /^Korda ebaõnnestunud/ }))
  await expect(page.getByRole('region', { name: 'Edenemine' })).toContainText('Järjekord Registrid on peatatud')
  await tap(page, page.getByRole('button', { name: 'Peata', exact: true }))
  await tap(page, page.getByRole('button', { name: 'Jätka' }))
  await tap(page, page.getByRole('button', { name: 'Katkesta…' }))
  await expectAccessible(page)
  await tap(page, page.getByRole('dialog').getByRole('button', { name: 'Katkesta masstegevus' }))
  await untilEnded(page, 30_000)
  await expect(page.locator('[data-slot="page-head"]')).toContainText('Katkestatud')
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.context().clearCookies()
  await signIn(page, 'arendaja')
  await call(page, 'PUT', `/v2/pauses/${id}/end`, {})
})

test('one failed job is retried', async ({ page, browser }) => {
  const bulkAction = await failedAction(browser, 'number=102%2F2026%2F6')
  await behave()
  await signIn(page, 'mitu', chamber)
  await page.goto(`/jobs?bulkAction=${bulkAction}`)
  await tap(page, page.getByRole('table', { name: 'Tööde loend' }).locator('tr[data-row]').first().getByRole('link').first())
  await tap(page, page.getByRole('button', { name: 'Korda uuesti' }))
  await expect(page.locator('[data-slot="page-head"]')).toContainText('Õnnestunud')
  await expectAccessible(page)
})
