// The palette: it opens anywhere, finds a case, a page or a command in both languages, and gives the focus back.
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { confirmLaunch, matches, openLaunch, untilEnded } from './support/bulk'
import { signIn } from './support/sign-in'

const NAME = 'Otsi toimikut, tööd või käsku'

async function palette(page: Page): Promise<Locator> {
  // A page that was just addressed hears no key before its frame stands.
  await expect(page.getByRole('button', { name: NAME })).toBeVisible()
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: NAME })
  await expect(box).toBeFocused()
  return box
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`is accessible in the ${colorScheme} theme`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    await signIn(page, 'taitur')
    const box = await palette(page)
    await expectAccessible(page)
    await box.fill('101/')
    await expect(page.getByRole('option', { name: /^101\// }).first()).toBeVisible()
    await expectAccessible(page)
    await box.fill('sellistolemaseioleteada x')
    await expectAccessible(page)
  })
}

test('a case is found by the beginning of its number', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list')
  await matches(page)
  const number = (await page.getByRole('table', { name: 'Toimikute tabel' }).locator('tr[data-row] [data-slot="case-number"]').first().textContent()) ?? ''
  expect(number).toMatch(/^101\/\d{4}\/\d+$/)
  await page.goto('/dashboard')
  const box = await palette(page)
  await box.fill(number.slice(0, -1))
  await expect(page.getByRole('option', { name: number })).toBeVisible()
  await box.fill(number)
  const first = page.getByRole('option').first()
  await expect(first).toHaveAccessibleName(new RegExp(`^${number}`))
  await box.press('Enter')
  await expect(page).toHaveURL(/\/case_list\?/)
  expect(await matches(page)).toBeGreaterThan(0)
  await expect(page.getByRole('list', { name: 'Rakendatud filtrid' })).toContainText(number)
  await expect(page.getByRole('heading', { name: 'Toimikud', level: 1 })).toBeFocused()
})

test('a bureau finds none of another’s cases', async ({ page }) => {
  await signIn(page, 'taitur')
  const box = await palette(page)
  const answer = page.waitForResponse((one) => one.url().endsWith('/enforcement_cases/data_table'))
  await box.fill('102/')
  expect((await (await answer).json()).member).toEqual([])
  await expect(page.getByRole('option', { name: /^102\// })).toHaveCount(0)
})

test('a job is found by its number, and no job that is not there', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list?number=101%2F2026%2F1')
  await matches(page)
  await confirmLaunch(page, await openLaunch(page, 'Arvuta uus põhitasu'), /^Arvuta põhitasu/)
  await untilEnded(page, 120_000)
  const id = await page.evaluate(async () => {
    const { token } = await (await fetch('/api/auth/verify', { method: 'POST' })).json()
    const jobs = await (await fetch('/api/v2/jobs?limit=1', { headers: { Authorization: `Bearer ${token}` } })).json()
    return jobs.member[0].id as number
  })
  const box = await palette(page)
  const missing = page.waitForResponse((answer) => answer.url().endsWith('/v2/jobs/999999999'))
  await box.fill('999999999')
  expect((await missing).status()).toBe(404)
  await expect(page.getByRole('option', { name: /^Töö 999999999/ })).toHaveCount(0)
  await box.fill(String(id))
  const found = page.getByRole('option', { name: new RegExp(`^Töö ${id}`) })
  await expect(found).toBeVisible()
  await expectAccessible(page)
  await found.click()
  await expect(page).toHaveURL(new RegExp(`/jobs/${id}$`))
})

test('an operator is led to what he may pause, and to a queue by its name', async ({ page }) => {
  await signIn(page, 'arendaja')
  let box = await palette(page)
  await box.fill('peata jär')
  await page.getByRole('option', { name: 'Peata järjekord…' }).click()
  await expect(page).toHaveURL(/\/queues$/)
  box = await palette(page)
  await box.fill('queue registri')
  await page.getByRole('option', { name: 'Järjekord Registrid' }).click()
  await expect(page).toHaveURL(/\/queues\/register$/)
})

test('pages and commands are found by words of both languages', async ({ page }) => {
  await signIn(page, 'taitur')
  let box = await palette(page)
  await box.fill('bulk act')
  await expect(page.getByRole('option').first()).toHaveAccessibleName(/^Masstegevused/)
  await box.press('Enter')
  await expect(page.getByRole('heading', { name: 'Masstegevused', level: 1 })).toBeFocused()

  box = await palette(page)
  await box.fill('tume')
  await box.press('Enter')
  await expect(page.locator('html')).toHaveClass(/dark/)
  box = await palette(page)
  await box.fill('theme')
  await box.press('Enter')
  await expect(page.locator('html')).not.toHaveClass(/dark/)

  box = await palette(page)
  await box.fill('row height')
  const saved = page.waitForResponse((one) => one.request().method() === 'PUT' && /\/user\/\d+$/.test(one.url()))
  await page.getByRole('option', { name: 'Hõredad read' }).click()
  expect((await (await saved).json()).row_height).toBe(40)
  box = await palette(page)
  await box.fill('tavalised')
  await box.press('Enter')

  box = await palette(page)
  await box.fill('english')
  await box.press('Enter')
  await expect(page.getByRole('heading', { name: 'Bulk actions', level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find a case, a job or a command' }).fill('eesti')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Masstegevused', level: 1 })).toBeVisible()
})

test('the focus goes back to where it was, a field too', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list')
  await matches(page)
  for (const opener of [page.getByRole('button', { name: NAME }), page.getByLabel('Number, nimi või kood'), page.getByRole('link', { name: 'Leht 2' })]) {
    await opener.focus()
    await palette(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('combobox', { name: NAME })).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  // Over an open dialog it stays shut: what is typed there would be lost with the page.
  const dialog = await openLaunch(page, 'Sea alustamise tasu')
  await page.keyboard.press('Control+k')
  await expect(dialog).toBeVisible()
  await expect(page.getByRole('combobox', { name: NAME })).toHaveCount(0)
})

test('two keys open a page, and only outside a field', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { name: 'Toimikud', level: 1 })).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type('gm')
  await expect(page.getByLabel('Number, nimi või kood')).toHaveValue('gm')
  await expect(page.getByRole('heading', { name: 'Toimikud', level: 1 })).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true })
  test('the icon opens it', async ({ page }) => {
    await signIn(page, 'taitur')
    await page.getByRole('button', { name: NAME }).tap()
    await expect(page.getByRole('combobox', { name: NAME })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('option', { name: 'Masstegevused' }).tap()
    await expect(page.getByRole('heading', { name: 'Masstegevused', level: 1 })).toBeVisible()
  })
})
