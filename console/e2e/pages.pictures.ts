// Pictures of each page in both themes, on demo data, for docs/screenshots.
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { confirmLaunch, matches, openLaunch, openTab, pause, tabCount, untilEnded } from './support/bulk'
import { makeCases } from './support/files'
import { bailiff101, chamber, signIn } from './support/sign-in'
import { behave, misbehave } from './support/simulator'

const folder = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url))

/** Presses the page's own switch, which a dialog may lie over, so that words and icons follow. */
async function switchTheme(page: Page, from: 'light' | 'dark'): Promise<void> {
  const button = page.getByRole('button', { name: from === 'light' ? 'Tume kujundus' : 'Hele kujundus', includeHidden: true })
  await button.evaluate((found: HTMLButtonElement) => found.click())
  await expect(page.locator('html')).toHaveClass(from === 'light' ? /dark/ : /^(?!.*dark)/)
}

async function both(page: Page, name: string, fullPage = false): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await page.screenshot({ path: `${folder}${name}.${theme}.png`, fullPage })
    await switchTheme(page, theme)
  }
}

test.use({ colorScheme: 'light' })

test('sign-in and role choice', async ({ page }) => {
  await page.goto('/signin')
  await expect(page.getByLabel('Kasutajatunnus')).toBeVisible()
  await both(page, 'sign-in')
  await page.getByLabel('Kasutajatunnus').fill('mitu')
  await page.getByLabel('Parool', { exact: true }).fill('toimik-demo')
  await page.getByRole('button', { name: 'Logi sisse' }).click()
  await expect(page.getByRole('region', { name: 'Rollid' })).toBeVisible()
  await both(page, 'choose-role')
})

test('the main job', async ({ page }, info) => {
  const good = makeCases(info, 'vana_programm.csv', '--rows', '3000', '--bureau', '101', '--years', '1993-1994', '--seed', '3')
  const bad = makeCases(info, 'vigane.csv', '--rows', '400', '--bureau', '101', '--years', '1991-1992', '--bad', '0.1', '--seed', '11')
  await signIn(page, 'mitu', bailiff101)
  for (const [file, name] of [[bad, 'import-errors'], [good, 'import-result']] as const) {
    await page.goto('/case_list?dialog=import')
    await page.getByRole('dialog').getByLabel('Fail', { exact: true }).last().setInputFiles(file)
    if (file === good) await both(page, 'import')
    await page.getByRole('dialog').getByRole('button', { name: 'Impordi', exact: true }).click()
    await expect(page.getByRole('dialog', { name: /^Import nr/ }).getByText(/Lisatud/)).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText('CSV fail on töösse võetud')).toBeHidden()
    await both(page, name)
  }

  await page.goto('/case_list?status=all&debtor=private&min=10000')
  await matches(page)
  await expect(page.getByRole('table', { name: 'Toimikute tabel' }).getByRole('row')).toHaveCount(41)
  await both(page, 'case-list')
  await page.getByRole('button', { name: 'Masstegevus', exact: true }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await both(page, 'bulk-menu')
  await page.keyboard.press('Escape')
  const fee = await openLaunch(page, 'Sea alustamise tasu')
  await fee.getByLabel('Menetluse alustamise tasu').fill('15,00')
  await both(page, 'start-fee')
  await page.keyboard.press('Escape')
  const dialog = await openLaunch(page, 'Arvuta uus põhitasu')
  await expect(dialog.getByRole('table')).toBeVisible()
  await both(page, 'launch')
  await confirmLaunch(page, dialog, /^Arvuta põhitasu/)
  const address = new URL(page.url()).pathname
  await untilEnded(page, 120_000)
  await page.goto(address)
  await expect(page.getByRole('table', { name: 'Alamtegevused' }).getByRole('row')).toHaveCount(26)
  await both(page, 'bulk-action')
  await page.goto('/bulk_actions')
  await expect(page.getByRole('table').first()).toBeVisible()
  await both(page, 'history')
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /vana_programm/ })).toBeVisible()
  await both(page, 'dashboard')
  await page.setViewportSize({ width: 360, height: 780 })
  await page.goto(`${address}?tab=warning`)
  await expect(page.getByRole('list', { name: 'Alamtegevused' })).toBeVisible()
  await both(page, 'bulk-action-phone')
  await page.goto('/case_list')
  await matches(page)
  await both(page, 'case-list-phone')
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: /vana_programm/ })).toBeVisible()
  await both(page, 'dashboard-phone')
})

test('where there is nothing', async ({ page }) => {
  await signIn(page, 'taitur2')
  await both(page, 'dashboard-empty')
  await page.goto('/bulk_actions')
  await expect(page.getByRole('heading', { name: 'Masstegevusi veel ei ole' })).toBeVisible()
  await both(page, 'history-empty')
  await page.goto('/case_list?q=sellistolemaseioleteada')
  await expect(page.getByRole('heading', { name: 'Toimikuid ei leitud' })).toBeVisible()
  await both(page, 'case-list-empty')
})

test('an action that is paused, and one with failures', async ({ page }) => {
  await misbehave({ act: { delay: { ms: [200, 400] } } }, { every: 10, act: { refuse: { code: 'KEELDUTUD', text: 'Register keeldus: avaldus on menetlemata' } } })
  await signIn(page, 'mitu', chamber)
  await page.goto('/case_list?number=102%2F')
  await matches(page)
  await confirmLaunch(page, await openLaunch(page, 'Sünkrooni täitmisregistriga'), /^Sünkrooni/)
  await expect.poll(() => tabCount(page, 'Õnnestunud'), { timeout: 60_000, intervals: [100] }).toBeGreaterThan(30)
  await both(page, 'bulk-action-running')
  await pause(page)
  await expect(page.getByText('Masstegevus on peatatud.')).toBeVisible()
  await both(page, 'bulk-action-paused')
  await page.getByRole('button', { name: 'Jätka' }).click()
  await untilEnded(page, 120_000)
  await behave()
  await openTab(page, 'Ebaõnnestunud')
  await expect(page.getByRole('table', { name: 'Alamtegevused' }).getByRole('row').nth(1)).toContainText('Ebaõnnestunud')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('Enter')
  await both(page, 'bulk-action-failed')
})
