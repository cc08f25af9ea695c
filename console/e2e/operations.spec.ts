// The queues: pauses with a reason and an end, the refresh contract, errors by what they share.
import { type Browser, expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { confirmLaunch, figure, matches, openLaunch, untilEnded } from './support/bulk'
import { queueRow, troubles } from './support/queues'
import { chamber, signIn } from './support/sign-in'
import { behave, misbehave } from './support/simulator'


/** Takes back what the short message says. */
async function undo(page: Page, said: string | RegExp): Promise<void> {
  await page.locator('[data-slot="toast"]').filter({ hasText: said }).getByRole('button', { name: /^Võta tagasi/ }).click()
}

async function openQueues(page: Page): Promise<void> {
  await page.goto('/queues')
  await expect(queueRow(page, 'Import')).toBeVisible()
}

async function asChamber(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signIn(page, 'koda')
  return page
}

test('10: off asks nothing, "now" asks once, and the time is that of the data', async ({ page }) => {
  await signIn(page, 'arendaja')
  await page.clock.install()
  await openQueues(page)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/v2/')) asked.push(new URL(request.url()).pathname)
  })
  const choose = async (word: string) => {
    await page.getByRole('button', { name: /^(iga \d+ s|väljas)$/ }).click()
    await page.getByRole('menuitemradio', { name: word, exact: true }).click()
  }
  await choose('iga 2 s')
  for (let n = 0; n < 2; n++) {
    const [request] = await Promise.all([page.waitForRequest('**/api/v2/operations'), page.clock.runFor(2_000)])
    await request.response()
  }
  await choose('väljas')
  asked.length = 0
  const time = page.locator('[data-slot="fresh"] b')
  const before = await time.textContent()
  await page.clock.runFor(180_000)
  expect(asked).toEqual([])
  await expect(time).toHaveText(before ?? '')
  await page.getByRole('button', { name: 'Värskenda kohe' }).click()
  await expect(time).not.toHaveText(before ?? '')
  expect(asked).toEqual(['/api/v2/operations'])
  await test.step('the choice is kept for the next page and the next visit', async () => {
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Import' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'väljas' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'väljas' })).toBeVisible()
    await choose('iga 5 s')
  })
})

test('14: a pause has a reason and an end, is said to everybody, and can be taken back', async ({ page, browser }) => {
  await signIn(page, 'arendaja')
  await openQueues(page)
  await page.getByRole('button', { name: 'Peata järjekord E-kirjad' }).click()
  const dialog = page.getByRole('dialog', { name: 'Peata järjekord E-kirjad' })
  await dialog.getByRole('button', { name: 'Peata', exact: true }).click()
  await expect(dialog.getByText('Kirjuta, miks peatatakse.')).toBeVisible()
  await dialog.getByRole('radio', { name: 'Valitud ajani' }).check()
  await dialog.getByLabel('Kuupäev').fill('31.02.2030')
  await dialog.getByLabel('Põhjus').fill('Postiserver on hoolduses')
  await dialog.getByRole('button', { name: 'Peata', exact: true }).click()
  await expect(dialog.getByText('Sellist kuupäeva ei ole.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Kuupäev').fill('28.02.2030')
  await dialog.getByLabel('Kellaaeg').fill('9.30')
  await dialog.getByRole('button', { name: 'Peata', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(troubles(page)).toContainText('Järjekord E-kirjad on peatatud kuni 28.02.2030 09:30.')
  await expect(troubles(page)).toContainText('Postiserver on hoolduses')
  await expect(queueRow(page, 'E-kirjad')).toContainText('Peatatud')
  await expect(page.getByRole('link', { name: 'Järjekorrad' })).toContainText('1')
  await expectAccessible(page)

  const other = await asChamber(browser)
  await openQueues(other)
  await expect(troubles(other)).toContainText('Postiserver on hoolduses')
  const closed = troubles(other).getByRole('button', { name: 'Jätka kohe' })
  await expect(closed).toHaveAttribute('aria-disabled', 'true')
  await closed.focus()
  await expect(other.locator('[data-slot="tip"]')).not.toBeEmpty()
  await expect(other.getByRole('button', { name: 'Peata…' }), 'a pause of another queue opens nothing').toHaveAttribute('aria-disabled', 'true')
  await other.context().close()

  await test.step('it is changed and survives a reload', async () => {
    await troubles(page).getByRole('button', { name: 'Muuda' }).click()
    const edit = page.getByRole('dialog', { name: 'Muuda peatamist' })
    await expect(edit.getByLabel('Kellaaeg')).toHaveValue('09:30')
    await edit.getByRole('radio', { name: 'Tähtajata' }).check()
    await edit.getByRole('button', { name: 'Salvesta' }).click()
    await expect(troubles(page)).toContainText('Järjekord E-kirjad on peatatud.')
    await page.reload()
    await expect(troubles(page)).toContainText('Järjekord E-kirjad on peatatud.')
  })
  await test.step('going on can be taken back, as can a pause', async () => {
    await troubles(page).getByRole('button', { name: 'Jätka kohe' }).click()
    await expect(page.getByText('Järjekord E-kirjad jätkub')).toBeVisible()
    await expect(troubles(page)).toBeHidden()
    await undo(page, 'Järjekord E-kirjad jätkub')
    await expect(troubles(page)).toContainText('Järjekord E-kirjad on peatatud.')
    await queueRow(page, 'E-kirjad').getByRole('button', { name: 'Jätka: E-kirjad' }).click()
    await expect(troubles(page)).toBeHidden()
  })
  await test.step('a bureau and a kind are paused from the head', async () => {
    for (const [what, choice, said] of [['Büroo', /^103 /, 'Büroo 103'], ['Töö liik', 'Sea alustamise tasu', 'Töö liik „Sea alustamise tasu“']] as const) {
      await page.getByRole('button', { name: 'Peata…' }).click()
      const form = page.getByRole('dialog', { name: 'Peata tööd' })
      await form.getByRole('radio', { name: what }).check()
      const option = form.getByRole('option', { name: choice })
      await expect(option).toBeAttached()
      await form.getByRole('combobox', { name: what }).selectOption({ label: (await option.textContent()) ?? '' })
      await form.getByLabel('Põhjus').fill('Proov')
      await form.getByRole('button', { name: 'Peata', exact: true }).click()
      await expect(troubles(page)).toContainText(said)
      await undo(page, said)
      await expect(troubles(page)).toBeHidden()
    }
  })
  await test.step('the queue’s page tells of its pauses', async () => {
    await page.getByRole('link', { name: 'E-kirjad', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Peatamised' })).toContainText('Postiserver on hoolduses')
  })
})

test('16: failed jobs are grouped by error, a group is marked known and repeated by one click', async ({ page }) => {
  await misbehave({ act: { refuse: { code: 'KEELDUTUD', text: 'Register keeldus: proov kuusteist' } } })
  await signIn(page, 'mitu', chamber)
  await page.goto('/case_list?number=103%2F')
  await matches(page)
  const count = await confirmLaunch(page, await openLaunch(page, 'Sünkrooni täitmisregistriga'), /^Sünkrooni/)
  await untilEnded(page, 120_000)
  await behave()

  await page.goto('/errors?hours=1&queue=register')
  const group = page.getByRole('listitem').filter({ hasText: 'proov kuusteist' })
  await expect(group).toBeVisible()
  const failed = figure(await group.getByRole('button', { name: /^Korda/ }).textContent())
  expect(failed).toBeGreaterThan(0)
  expect(failed).toBeLessThanOrEqual(count)
  await expect(group).toContainText('büroo 103')
  await expectAccessible(page)
  await test.step('a note in its place', async () => {
    await group.getByRole('button', { name: /^Märgi teada/ }).click()
    await expectAccessible(page)
    await group.getByRole('textbox').fill('Registri hooldus')
    await page.keyboard.press('Enter')
    await expect(group.getByText('teada', { exact: true })).toBeVisible()
    await expect(group).toContainText('Registri hooldus')
    await page.getByRole('radiogroup', { name: 'Teada' }).getByText('Ei', { exact: true }).click()
    await expect(page).toHaveURL(/known=false/)
    await expect(group).toBeHidden()
    await page.getByRole('radiogroup', { name: 'Teada' }).getByText('Jah', { exact: true }).click()
    await expect(group).toBeVisible()
  })
  await test.step('one click offers to repeat the whole group', async () => {
    await group.getByRole('button', { name: /^Korda/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(String(failed))
    // The second click of a double click falls beside the dialog, which has become smaller.
    await dialog.getByRole('button', { name: 'Edasi' }).dblclick()
    const pace = dialog.getByLabel('Tempo, kuni tööd/s', { exact: true })
    const go = dialog.getByRole('button', { name: /^Korda \d/ })
    await expect(go).not.toHaveAttribute('aria-disabled', 'true')
    for (const wrong of ['-5', '0', '1001', 'palju']) {
      await pace.fill(wrong)
      await expect(go).toHaveAttribute('aria-disabled', 'true')
    }
    await pace.blur()
    await expect(dialog.getByRole('alert')).toContainText('või tühi')
    await expectAccessible(page)
    await pace.fill('')
    await expect(go).not.toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })
  await test.step('its jobs are a list', async () => {
    await group.getByRole('link', { name: 'Vaata töid' }).click()
    await expect(page).toHaveURL(/\/jobs\?/)
    await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText('Ebaõnnestunud')
  })
})

test('the queues and their acts fit a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await signIn(page, 'arendaja')
  await page.goto('/queues')
  const list = page.getByRole('list', { name: 'Järjekorrad' })
  await expect(list).toContainText('Import')
  await list.getByRole('button', { name: 'Peata järjekord Ajastatud' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Põhjus').fill('Telefonist')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Peata', exact: true }).click()
  await expect(troubles(page)).toContainText('Telefonist')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await expectAccessible(page)
  await troubles(page).getByRole('button', { name: 'Jätka kohe' }).click()
  await expect(troubles(page)).toBeHidden()
  for (const path of ['/queues/cron', '/errors', '/workers']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[data-slot="bone"], .sweep')).toHaveCount(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360)
    await expectAccessible(page)
  }
})
