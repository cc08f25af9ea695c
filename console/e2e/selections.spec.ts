// Failed tasks go on: by error, as a file, as a selection of their cases, and as a bulk action of their own.
import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { confirmLaunch, matches, openLaunch, openTab, tabCount, untilEnded } from './support/bulk'
import { readCsv } from './support/files'
import { chamber, signIn } from './support/sign-in'
import { behave, misbehave } from './support/simulator'

test.afterEach(behave)

test('the failed ones of an action are taken on', async ({ page }, info) => {
  await misbehave({ every: 10, act: { refuse: { code: 'KEELDUTUD', text: 'Register keeldus' } } })
  await signIn(page, 'mitu', chamber)
  await page.goto('/case_list?number=103%2F')
  await matches(page)
  await confirmLaunch(page, await openLaunch(page, 'Sünkrooni täitmisregistriga'), /^Sünkrooni/)
  await untilEnded(page, 120_000)
  await behave()
  const address = new URL(page.url()).pathname
  const failed = await tabCount(page, 'Ebaõnnestunud')
  expect(failed).toBeGreaterThan(3)
  await openTab(page, 'Ebaõnnestunud')

  await test.step('by error', async () => {
    await page.getByRole('button', { name: 'Rühmita vea järgi' }).click()
    const groups = page.getByRole('list', { name: 'Ebaõnnestunud vea järgi' }).getByRole('link')
    await expect(groups.first()).toContainText('keeldus')
    const counts = await groups.locator('b').allTextContents()
    expect(counts.reduce((sum, count) => sum + Number(count.replace(/\D/g, '')), 0)).toBe(failed)
    await expectAccessible(page)
    await groups.first().click()
    await expect(page).toHaveURL(/q=/)
    await expect(page.getByRole('table', { name: 'Alamtegevused' }).locator('tr[data-row]').first()).toContainText('keeldus')
    await page.goto(`${address}?tab=failed`)
  })

  await test.step('as a file with as many rows as the tab says', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Laadi alla CSV' }).click()])
    const path = info.outputPath('tegemata.csv')
    await download.saveAs(path)
    expect(readCsv(path)).toHaveLength(failed + 1)
  })

  await test.step('as a selection, which a launch takes', async () => {
    const rows = page.getByRole('table', { name: 'Alamtegevused' }).locator('tr[data-row]')
    await expect(rows.first()).toBeVisible()
    for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await expect(page.getByText('3 valitud')).toBeVisible()
    const numbers = (await rows.locator('[data-slot="case-number"]').allTextContents()).slice(0, 3)
    await page.getByRole('button', { name: 'Loo toimikute valim', exact: true }).click()
    await expect(page).toHaveURL(/caseSelection=\d+/)
    expect(await matches(page)).toBe(3)
    const chips = page.getByRole('list', { name: 'Rakendatud filtrid' })
    await expect(chips).toContainText(/Valim \d+3 toimikut/)
    const listed = await page.getByRole('table', { name: 'Toimikute tabel' }).locator('tr[data-row] [data-slot="case-number"]').allTextContents()
    expect(listed.toSorted()).toEqual(numbers.toSorted())
    await expectAccessible(page)
    const dialog = await openLaunch(page, 'Arvuta uus põhitasu')
    await expect(dialog).toContainText('valim on nr')
    await expect(dialog.getByRole('button', { name: /^Arvuta põhitasu 3 / })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'tühista valim' }).click()
    await expect(page).not.toHaveURL(/caseSelection/)
    await expect.poll(() => matches(page)).toBeGreaterThan(3)
  })

  await test.step('as an action of their own, linked both ways', async () => {
    await page.goto(address)
    await page.getByRole('button', { name: 'Veel tegevusi', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Korda ainult ebaõnnestunud uue masstegevusena' }).click()
    await expect(page).not.toHaveURL(new RegExp(`${address}$`))
    await untilEnded(page, 60_000)
    expect(await tabCount(page, 'Kõik')).toBe(failed)
    expect(await tabCount(page, 'Õnnestunud')).toBe(failed)
    const own = new URL(page.url()).pathname
    await page.getByRole('link', { name: /^nr / }).click()
    await expect(page).toHaveURL(new RegExp(`${address}$`))
    await page.getByRole('link', { name: /^nr / }).click()
    await expect(page).toHaveURL(new RegExp(`${own}$`))
  })
})

test('a running action is slowed, paused and taken up again from its page', async ({ page }) => {
  await misbehave({ act: { delay: { ms: [200, 400] } } })
  await signIn(page, 'mitu', chamber)
  await page.goto('/case_list?number=102%2F')
  await matches(page)
  await confirmLaunch(page, await openLaunch(page, 'Sünkrooni täitmisregistriga'), /^Sünkrooni/)
  await expect.poll(() => tabCount(page, 'Õnnestunud'), { timeout: 60_000, intervals: [100] }).toBeGreaterThan(0)
  const parallel = page.getByLabel('Korraga töös, kuni', { exact: true })
  await parallel.fill('2')
  const set = page.waitForResponse((answer) => answer.url().endsWith('/pace'))
  await parallel.press('Enter')
  expect((await set).status()).toBe(200)
  await expect(page.getByText('Tempo piiranguta, korraga kuni 2')).toBeVisible()
  await page.getByRole('button', { name: /^Võta tagasi/ }).click()
  await expect(parallel).toHaveValue('')
  await page.getByRole('button', { name: 'Peata', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Jätka' })).toBeFocused()
  await expect(page.getByRole('region', { name: 'Edenemine' })).toContainText('Masstegevus on peatatud: uusi alamtegevusi ei alustata.')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Peata', exact: true })).toBeFocused()
  await behave()
  await untilEnded(page, 120_000)
})
