// A file with faults: each is named exactly, and no case is added.
import { expect, type Locator, test } from '@playwright/test'
import { matches } from './support/bulk'
import { makeCases, readCsv } from './support/files'
import { signIn } from './support/sign-in'

/** The cells of every row, in order; the table draws only those in sight, so it is scrolled through. */
async function readAll(box: Locator, table: Locator): Promise<string[][]> {
  const rows = new Map<number, string[]>()
  const total = Number(await table.getAttribute('aria-rowcount')) - 1
  await expect.poll(async () => {
    for (const row of await table.locator('tr[data-row]').evaluateAll((found) => found.map((one) => [one.getAttribute('aria-rowindex'), ...[...one.children].map((cell) => cell.textContent)]))) {
      rows.set(Number(row[0]), row.slice(1).map((cell) => cell ?? ''))
    }
    await box.evaluate((element) => element.scrollBy(0, element.clientHeight / 2))
    return rows.size
  }, { intervals: [30], timeout: 30_000 }).toBe(total)
  return [...rows].toSorted(([one], [other]) => one - other).map(([, row]) => row)
}

test('the error table is the expected list and nothing changes', async ({ page }, info) => {
  const file = makeCases(info, 'vigane.csv', '--rows', '400', '--bureau', '101', '--years', '1991-1992', '--bad', '0.1', '--seed', '11')
  const expected = readCsv(`${file}.expected`).slice(1)
  await signIn(page, 'taitur')
  await page.goto('/case_list?status=all&archived=true')
  const before = await matches(page)

  await page.getByRole('button', { name: 'Impordi CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Impordi toimikud CSV-failist' })
  await dialog.getByLabel('Fail', { exact: true }).last().setInputFiles(file)
  await dialog.getByRole('button', { name: 'Impordi', exact: true }).click()
  const result = page.getByRole('dialog', { name: /^Import nr/ })
  await expect(result.getByText('Import ebaõnnestus: midagi ei lisatud ega muudetud.')).toBeVisible({ timeout: 60_000 })
  await expect(result.getByRole('heading', { name: `${expected.length} viga` })).toBeVisible()
  const table = result.getByRole('table', { name: 'Vead' })
  expect((await readAll(result.getByRole('region', { name: 'Vead' }), table)).map((row) => [row[0], row[2]])).toEqual(expected)

  const [download] = await Promise.all([page.waitForEvent('download'), result.getByRole('button', { name: 'Laadi vead alla' }).click()])
  expect(download.suggestedFilename()).toMatch(/^taavi_import_vead_\d{8}_\d{6}\.csv$/)
  const path = info.outputPath('vead.csv')
  await download.saveAs(path)
  const [head, ...rows] = readCsv(path)
  expect(head).toEqual(['Rida', 'Toimik', 'Tulp', 'Probleem'])
  // Warnings follow the errors in the file; the expected list names errors alone.
  expect(rows.slice(0, expected.length).map((row) => [row[0], row[2]])).toEqual(expected)

  await page.keyboard.press('Escape')
  await page.reload()
  expect(await matches(page)).toBe(before)
})
