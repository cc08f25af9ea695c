// Where the focus is after each act, and that figures and ways on are all there.
import { expect, test } from '@playwright/test'
import { figure, matches, openLaunch } from './support/bulk'
import { signIn } from './support/sign-in'

test('a new page is read from its heading, an old one too', async ({ page }) => {
  await signIn(page, 'taitur')
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
  await expect(heading('Töölaud')).toBeFocused()
  await page.getByRole('link', { name: 'Toimikud', exact: true }).click()
  await expect(heading('Toimikud')).toBeFocused()
  await page.getByRole('link', { name: 'Masstegevused', exact: true }).press('Enter')
  await expect(heading('Masstegevused')).toBeFocused()
  await page.goBack()
  await expect(heading('Toimikud')).toBeFocused()
})

test('the focus goes on where a chip was, and back to the menu that changed the language', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list?debtorName=a&claimantName=a&status=all')
  await matches(page)
  const chips = page.getByRole('list', { name: 'Rakendatud filtrid' }).getByRole('button')
  const before = await chips.count()
  await chips.first().press('Enter')
  await expect(chips).toHaveCount(before - 1)
  await expect(chips.first()).toBeFocused()
  await chips.last().press('Enter')
  await expect(chips).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Toimikud', level: 1 })).toBeFocused()
  const menu = page.locator('#role-menu')
  for (const language of ['English', 'Eesti']) {
    await menu.press('Enter')
    await page.getByRole('menuitemradio', { name: language }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', language === 'English' ? 'en' : 'et')
    await expect(menu).toBeFocused()
  }
})

test('no amount is cut, however large', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.route('**/enforcement_cases/data_table', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json() as { member?: Array<Record<string, unknown>> }
    for (const row of body.member ?? []) {
      for (const [field, value] of Object.entries(row)) {
        if (value !== null && typeof value === 'object' && 'cents' in value) row[field] = { ...value, cents: -123_456_789 }
      }
    }
    await route.fulfill({ response: answer, json: body })
  })
  await page.goto('/case_list')
  await matches(page)
  const cells = page.getByRole('table', { name: 'Toimikute tabel' }).locator('td.num')
  await expect(cells.filter({ hasText: /1\s234\s567,89/ }).first()).toBeVisible()
  const cut = await cells.evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent))
  expect(cut).toEqual([])
})

test('a count that failed can be asked again', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.route('**/case_table_cases_count', (route) => route.fulfill({ status: 422, contentType: 'application/json', body: '{"detail":"ei"}', headers: { 'x-request-id': 'abc' } }))
  await page.goto('/case_list')
  const said = page.getByRole('alert').filter({ hasText: 'Toimikute arvu pärimine ebaõnnestus.' })
  await expect(said.getByRole('button', { name: 'Kopeeri päringu id' })).toBeVisible()
  await page.unroute('**/case_table_cases_count')
  await said.getByRole('button', { name: 'Proovi uuesti' }).click()
  await matches(page)
})

test('a launch without an answer says so, and one that got no cases does not stay', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list?q=saar')
  await matches(page)
  const dialog = await openLaunch(page, 'Arvuta uus põhitasu')
  const verb = dialog.getByRole('button', { name: /^Arvuta põhitasu/ })
  await expect(verb).toBeVisible()
  const typed = dialog.getByLabel(/^Kinnitamiseks kirjuta/)
  const type = async () => {
    if (await typed.isVisible()) await typed.fill(String(figure(await verb.textContent())))
  }
  await type()
  await page.route('**/v2/bulk_actions', (route) => route.abort())
  await verb.click()
  await expect(dialog.getByRole('alert')).toContainText('Server ei vasta.')
  await expect(verb).toBeFocused()
  await page.unroute('**/v2/bulk_actions')
  await page.route('**/v2/bulk_actions/*/cases', (route) => route.fulfill({ status: 409, contentType: 'application/json', body: '{"detail":"Arv on muutunud."}' }))
  await verb.click()
  await expect(page.getByRole('region', { name: 'Teated' }).getByRole('alert')).toContainText('Arv on muutunud.')
  await page.unroute('**/v2/bulk_actions/*/cases')
  const cancelled = page.waitForResponse((answer) => answer.url().endsWith('/cancel'))
  await dialog.getByRole('button', { name: 'Loobu' }).click()
  expect((await cancelled).status()).toBe(200)
  await page.goto('/bulk_actions')
  await page.getByRole('row').filter({ hasText: 'Katkestatud' }).getByRole('link').first().click()
  await expect(page.getByText('toimikuid ei ole lisatud')).toBeVisible()
  await expect(page.getByText('Masstegevusele ei lisatud ühtegi toimikut.')).toBeVisible()
})
