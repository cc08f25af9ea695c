// The main job: cases come in by CSV, a bulk action runs over a filter, its results are seen and taken along.
import { expect, test } from '@playwright/test'
import { confirmLaunch, matches, openLaunch, openTab, tabCount, untilEnded } from './support/bulk'
import { makeCases, readCsv } from './support/files'
import { bailiff101, signIn } from './support/sign-in'

const ROWS = 5_000

test('imports a file, computes new fees over a filter and downloads the result', async ({ page, context }, info) => {
  const file = makeCases(info, 'vana.csv', '--rows', String(ROWS), '--bureau', '101', '--years', '1995-1999', '--encoding', 'windows-1257', '--seed', '7')
  await signIn(page, 'mitu', bailiff101)

  await test.step('import', async () => {
    await page.getByRole('link', { name: 'Toimikud', exact: true }).click()
    await page.getByRole('button', { name: 'Impordi CSV' }).click()
    const dialog = page.getByRole('dialog', { name: 'Impordi toimikud CSV-failist' })
    await dialog.getByLabel('Fail', { exact: true }).last().setInputFiles(file)
    await dialog.getByRole('button', { name: 'Impordi', exact: true }).click()
    const result = page.getByRole('dialog', { name: /^Import nr/ })
    await expect(result.getByText('Faili üleslaadimine õnnestus.')).toBeVisible({ timeout: 60_000 })
    await expect(result.getByText('Lisatud').locator('xpath=..')).toHaveText(/5\s000/)
    await page.keyboard.press('Escape')
    await expect(result).toBeHidden()
  })

  await test.step('filter by kind of claim, balance and every status but archived', async () => {
    await page.getByRole('navigation', { name: 'Staatus' }).getByRole('link', { name: /^Kõik/ }).click()
    await page.getByRole('button', { name: /^Põhinõude liik/ }).click()
    const debt = page.getByRole('group', { name: 'Põhinõude liik' }).getByLabel('Võlanõue')
    await debt.click()
    await expect(debt).toBeChecked()
    await page.keyboard.press('Escape')
    await page.getByLabel('Saldo alates').fill('100,00')
    await page.getByLabel('Saldo alates').press('Enter')
    const chips = page.getByRole('list', { name: 'Rakendatud filtrid' })
    await expect(chips).toContainText('Võlanõue')
    await expect(chips).toContainText(/alates 100,00/)
    await expect(page).toHaveURL(/status=all/)
  })

  const count = await matches(page)
  expect(count).toBeGreaterThan(1_000)
  const dialog = await openLaunch(page, 'Arvuta uus põhitasu')
  await expect(dialog).toContainText('põhinõude liik on Võlanõue')
  await expect(dialog.getByRole('table', { name: 'Näidis' }).getByRole('row')).toHaveCount(11)
  expect(await confirmLaunch(page, dialog, /^Arvuta põhitasu .* toimikus$/)).toBe(count)
  const address = page.url()

  await test.step('close the tab and find the action in the history', async () => {
    await page.close()
    page = await context.newPage()
    await page.goto('/bulk_actions')
    await page.getByRole('row').filter({ hasText: 'Arvuta uus põhitasu' }).first().getByRole('link').click()
    await expect(page).toHaveURL(address)
    await untilEnded(page, 120_000)
  })

  await test.step('see what succeeded and what was left alone, and why', async () => {
    const ok = await tabCount(page, 'Õnnestunud')
    const warned = await tabCount(page, 'Hoiatusega')
    expect(await tabCount(page, 'Kõik')).toBe(count)
    expect(ok).toBeGreaterThan(0)
    expect(warned).toBeGreaterThan(0)
    expect(await tabCount(page, 'Ebaõnnestunud')).toBe(0)
    expect(ok + warned).toBe(count)
    await openTab(page, 'Õnnestunud')
    await expect(page.getByRole('table', { name: 'Alamtegevused' }).getByRole('row').nth(1)).toContainText(/^Õnnestunud101\//)
    await openTab(page, 'Hoiatusega')
    await page.getByLabel('Otsi tulemusest').fill('ei saa hetkel muuta')
    const first = page.getByRole('table', { name: 'Alamtegevused' }).getByRole('row').nth(1)
    await expect(first).toContainText('Toimikut ei saa hetkel muuta, sest see on olekus')
    await expect(first).toContainText('Hoiatusega')
  })

  await test.step('download one row a task', async () => {
    await page.goto(address)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Laadi alla CSV' }).click()])
    expect(download.suggestedFilename()).toMatch(/^arvuta_uus_pohitasu_\d{8}_\d{6}\.csv$/)
    const path = info.outputPath('tulemus.csv')
    await download.saveAs(path)
    const rows = readCsv(path)
    expect(rows[0]).toHaveLength(3)
    expect(rows).toHaveLength(count + 1)
    expect(new Set(rows.slice(1).map((row) => row[1])).size).toBe(count)
  })
})
