// What a person leaves or only points at: nothing happens that was not asked for, and the way back is kept.
import { expect, test } from '@playwright/test'
import { matches } from './support/bulk'
import { makeCases } from './support/files'
import { PASSWORD, signIn } from './support/sign-in'

test('pointing at "Logi välja" on role choice signs nobody out', async ({ page }) => {
  await page.goto('/signin')
  await page.getByLabel('Kasutajatunnus').fill('mitu')
  await page.getByLabel('Parool', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Logi sisse' }).click()
  const out = page.getByRole('link', { name: 'Logi välja' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await out.hover()
  await out.focus()
  await page.getByRole('region', { name: 'Rollid' }).getByRole('button').first().click()
  await expect(page.getByRole('heading', { name: 'Töölaud' })).toBeVisible()
  expect(asked).not.toContain('/api/auth/logout')
})

test('a left upload is no import', async ({ page }, info) => {
  const file = makeCases(info, 'pooleli.csv', '--rows', '20', '--bureau', '101', '--years', '2004-2004', '--seed', '5')
  await signIn(page, 'taitur')
  await page.goto('/case_list?dialog=import')
  await page.route('**/api/import/taavi', () => undefined) // Never answered.
  const dialog = page.getByRole('dialog', { name: 'Impordi toimikud CSV-failist' })
  await dialog.getByLabel('Fail', { exact: true }).last().setInputFiles(file)
  await dialog.getByRole('button', { name: 'Impordi', exact: true }).click()
  await expect(dialog.getByRole('status')).toHaveText(/^Fail liigub serverisse: \d+ %$/)
  const stopped = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/import/taavi'))
  await dialog.getByRole('button', { name: 'Loobu' }).click()
  expect((await stopped).failure()?.errorText).toBe('net::ERR_ABORTED')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).not.toHaveURL(/dialog=/)
})

test('the menu stays as it was left', async ({ page }) => {
  await signIn(page, 'taitur')
  const menu = page.getByRole('navigation', { name: 'Põhimenüü' })
  const wide = (await menu.boundingBox())?.width ?? 0
  const fold = page.locator('[aria-controls="menu"]')
  await fold.click()
  await page.reload()
  await expect(menu).toBeVisible()
  expect((await menu.boundingBox())?.width ?? 0).toBeLessThan(wide)
  await fold.click()
  await page.reload()
  await expect(menu).toBeVisible()
  expect((await menu.boundingBox())?.width).toBe(wide)
})

test('a wrong password keeps the way back, and a lost session its filters', async ({ page, context }) => {
  await page.goto('/case_list?q=Tamm')
  await page.getByLabel('Kasutajatunnus').fill('taitur')
  await page.getByLabel('Parool', { exact: true }).fill('vale')
  await page.getByRole('button', { name: 'Logi sisse' }).click()
  await expect(page.getByRole('alert')).toHaveText('Sisestatud kasutajatunnus või parool on vale')
  const signInAgain = async () => {
    await page.getByLabel('Kasutajatunnus').fill('taitur')
    await page.getByLabel('Parool', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Logi sisse' }).click()
    await page.getByRole('region', { name: 'Rollid' }).getByRole('button').first().click()
  }
  await signInAgain()
  await expect(page).toHaveURL(/\/case_list\?q=Tamm/)
  await matches(page)

  // The list alone: a poll of the frame would end the session before the filter is in the address.
  await page.route('**/api/v2/enforcement_cases/**', (route) => route.continue({ headers: { ...route.request().headers(), authorization: 'Bearer gone' } }))
  await context.clearCookies()
  await page.getByLabel('Võlgniku nimi').fill('Mari')
  await expect(page.getByText('Palun logige uuesti sisse')).toBeVisible()
  await expect(page).toHaveURL(/\/signin/)
  await page.unroute('**/api/v2/enforcement_cases/**')
  await signInAgain()
  await expect(page).toHaveURL(/\/case_list\?.*debtorName=Mari/)
  await expect(page).toHaveURL(/q=Tamm/)
})
