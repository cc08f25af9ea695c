// On a slow line what is under way says how far it is.
import { expect, type Page, test } from '@playwright/test'
import { matches } from './support/bulk'
import { makeCases } from './support/files'
import { signIn } from './support/sign-in'

/** Bytes a second in each direction; -1 is as fast as it goes. */
async function line(page: Page, speed: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: speed, uploadThroughput: speed })
}

const between = (text: RegExp) => new RegExp(text.source.replace('N', '[1-9]\\d?'))

test('an export', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/case_list')
  await matches(page)
  await line(page, 400_000)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Ekspordi CSV' }).click()
  await expect(page.getByRole('button', { name: between(/^Eksport N %/) })).toBeVisible()
  await line(page, -1)
  await download
})

test('an import, on its way and at work', async ({ page }, info) => {
  const file = makeCases(info, 'aeglane.csv', '--rows', '5000', '--bureau', '101', '--years', '2000-2003', '--seed', '6')
  await signIn(page, 'taitur')
  await page.goto('/case_list?dialog=import')
  const dialog = page.getByRole('dialog', { name: 'Impordi toimikud CSV-failist' })
  await dialog.getByLabel('Fail', { exact: true }).last().setInputFiles(file)
  await line(page, 400_000)
  await dialog.getByRole('button', { name: 'Impordi', exact: true }).click()
  await expect(dialog.getByRole('status')).toHaveText(between(/^Fail liigub serverisse: N %$/))
  await line(page, -1)
  const result = page.getByRole('dialog', { name: /^Import nr/ })
  await expect(result.getByRole('progressbar')).toBeVisible()
  await expect(result.getByText('Faili üleslaadimine õnnestus.')).toBeVisible({ timeout: 60_000 })
})
