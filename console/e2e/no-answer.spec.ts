// What stands on the page when the server refuses, fails or says nothing.
import { expect, test } from '@playwright/test'
import { matches } from './support/bulk'
import { signIn } from './support/sign-in'

test('a dashboard that could not be loaded does not say that all is well', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.route('**/api/v2/bulk_actions_by_date*', (route) => route.abort())
  await page.reload()
  const again = page.getByRole('button', { name: 'Proovi uuesti' })
  await expect(again).toBeVisible()
  await expect(page.getByText('Kõik on korras.')).toHaveCount(0)
  await page.unroute('**/api/v2/bulk_actions_by_date*')
  await again.click()
  await expect(again).toHaveCount(0)
})

test('a list that gets no answer keeps its rows and can be asked again', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list')
  await matches(page)
  await page.route('**/enforcement_cases/data_table', (route) => route.abort())
  await page.getByRole('link', { name: 'Leht 2' }).click()
  await expect(page.getByRole('button', { name: 'Proovi uuesti' })).toBeVisible()
  await page.unroute('**/enforcement_cases/data_table')
  await page.getByRole('button', { name: 'Proovi uuesti' }).click()
  await expect(page.getByRole('table', { name: 'Toimikute tabel' }).getByRole('row')).toHaveCount(41)
})

test('a missing right is said where the rows would be', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.route('**/enforcement_cases/data_table', (route) => route.fulfill({ status: 403, contentType: 'application/json', body: '{"detail":"no"}' }))
  await page.goto('/case_list')
  await expect(page.getByRole('heading', { name: 'Õigus puudub' })).toBeVisible()
  await expect(page.getByText('Puuduvad piisavad õigused').first()).toBeVisible()
})

test('past the end of the list there is a way to its beginning', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list?page=99999')
  await page.getByRole('link', { name: 'Esimesele lehele' }).click()
  await expect(page).not.toHaveURL(/page=/)
  await expect(page.getByRole('table', { name: 'Toimikute tabel' }).getByRole('row')).toHaveCount(41)
})

test('an amount is typed on through its pauses', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list')
  await matches(page)
  const least = page.getByLabel('Saldo alates')
  await least.click()
  await page.keyboard.type('1')
  await expect(page).toHaveURL(/min=100(&|$)/)
  await expect(least).toHaveValue('1')
  await page.keyboard.type('000')
  await expect(page).toHaveURL(/min=100000(&|$)/)
  await expect(least).toHaveValue('1000')
  await least.blur()
  await expect(least).toHaveValue(/^1\s?000,00$/)
  await page.getByRole('list', { name: 'Rakendatud filtrid' }).getByRole('button').first().click()
  await expect(least).toHaveValue('')
})

test('each thing that is wrong is said by itself', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.route('**/api/user/*', (route) => (route.request().method() === 'PUT'
    ? route.fulfill({ status: 422, contentType: 'application/json', body: JSON.stringify({ detail: 'x', violations: [{ propertyPath: 'a', message: 'Esimene ei sobi.' }, { propertyPath: 'b', message: 'Teine ei sobi.' }] }) })
    : route.continue()))
  await page.getByRole('button', { name: /· KT/ }).click()
  await page.getByRole('menuitemradio', { name: 'Hõre, 40' }).click()
  const said = page.getByRole('region', { name: 'Teated' }).getByRole('alert')
  await expect(said).toHaveText(['Esimene ei sobi.', 'Teine ei sobi.'])
  await expect(said).toHaveCount(0)
})

test('a lost piece of the program is named, with a way on', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.route('**/assets/bulk_actions*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Masstegevused', exact: true }).click()
  const said = page.getByRole('alert').filter({ hasText: 'ChunkLoadError' })
  await expect(said).toContainText('Rakenduse osa laadimine ebaõnnestus.')
  await page.unroute('**/assets/bulk_actions*.js')
  await said.getByRole('button', { name: 'Laadi leht uuesti' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Masstegevused' })).toBeVisible()
})
