// The operations console's points about finding, reading and steering single jobs, on its pages.
import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { call } from './support/api'
import { figure } from './support/bulk'
import { refuse, synchronise } from './support/examples'
import { press, tabTo, type } from './support/keyboard'
import { bailiff101, chamber, signIn } from './support/sign-in'
import { behave, misbehave } from './support/simulator'

type Job = { id: number; caseNumber: string; debtorName: string; state: string; runAt: string }

const WORDS = 'Register keeldus: punktide proov'
const VIEWS = /^(Vaated|Vaade: .*)$/
const rowsOf = (page: Page) => page.getByRole('table', { name: 'Tööde loend' }).locator('tr[data-row]')
const tab = (page: Page, word: string) => page.getByRole('navigation', { name: 'Tööde olek' }).getByRole('link', { name: new RegExp(`^${word}`) })
const box = (page: Page) => page.getByRole('combobox', { name: 'Filter tekstina' })
const head = (page: Page) => page.locator('[data-slot="page-head"]')

let bulkAction = 0
let failed: Job[] = []

test.beforeAll(async ({ browser }) => {
  const page = await (await browser.newContext()).newPage()
  await refuse(WORDS)
  await signIn(page, 'mitu', chamber)
  bulkAction = (await synchronise(page, 'number=101%2F2026%2F13')).id
  failed = (await call<{ member: Job[] }>(page, 'GET', `/v2/jobs?bulkAction=${bulkAction}&state[]=failed`)).member
  expect(failed.length).toBeGreaterThan(4)
  await behave()
  await page.context().close()
})
test.afterEach(behave)

test('8: jobs are found by what people know, a word is completed, and what is not understood is said under the box', async ({ page }) => {
  await signIn(page, 'arendaja')
  await page.goto('/jobs')
  await expect(rowsOf(page).first()).toBeVisible()
  await page.keyboard.press('/')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('jär')
  await expect(page.getByRole('option', { name: /^järjekord:/ })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: /^järjekord:/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await page.keyboard.type('reg')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(box(page)).toHaveValue('järjekord:register ')
  await expect(page).toHaveURL(/queue=/)
  await page.keyboard.type('olk:ebaõnnestunud')
  await page.keyboard.press('Enter')
  const wrong = page.getByRole('alert').filter({ hasText: 'Kohal 20' })
  await expect(wrong).toContainText('välja „olk“ ei ole')
  await expect(box(page)).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  const [one] = failed
  const known: Array<[string, string]> = [
    [`toimik:${one?.caseNumber}`, 'caseNumber'],
    [`võlgnik:"${one?.debtorName}"`, 'debtor'],
    ['viga:"punktide proov"', 'error'],
    [`masstegevus:${bulkAction}`, 'bulkAction'],
    [one?.caseNumber ?? '', 'search'],
    ['liik:SyncToRegister olek:ebaõnnestunud', 'kind'],
  ]
  for (const [words, field] of known) {
    const answered = page.waitForResponse((answer) => answer.url().includes('/v2/jobs?') && answer.url().includes(field))
    await page.keyboard.press('Control+a')
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
    await answered
    await expect(wrong).toBeHidden()
    await expect(rowsOf(page).filter({ has: page.getByRole('link', { name: figureText(one?.id ?? 0), exact: true }) }), words).toHaveCount(1)
  }
})

/** As the console writes a number. */
function figureText(id: number): string {
  return new Intl.NumberFormat('et-EE', { useGrouping: 'always' }).format(id)
}

test('9: counts say what they are, of which moment, and are those of the lists they lead to', async ({ page }) => {
  await signIn(page, 'arendaja')
  await page.goto(`/jobs?bulkAction=${bulkAction}`)
  const said = page.getByRole('status').filter({ hasText: /vaste/ })
  await expect(said).toBeVisible()
  const of = async (word: string) => figure(await tab(page, word).textContent())
  await expect(tab(page, 'Kõik')).toContainText(/\d/)
  const [all, ...parts] = await Promise.all(['Kõik', 'Ebaõnnestunud', 'Hoiatusega', 'Töös', 'Järjekorras', 'Õnnestunud', 'Katkestatud'].map(of))
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(all)
  await expect(page.locator('[data-slot="fresh"]')).toContainText(/andmed seisuga \d\d:\d\d:\d\d/)
  await press(page, tab(page, 'Ebaõnnestunud'))
  await expect(tab(page, 'Ebaõnnestunud')).toHaveAttribute('aria-current', 'page')
  await expect(rowsOf(page)).toHaveCount(await of('Ebaõnnestunud'))
  expect(figure(await said.textContent())).toBe(await of('Ebaõnnestunud'))
  // What is counted no further, and what is estimated, is not passed off as exact.
  await page.route('**/v2/jobs/counts*', async (route) => {
    const answer = await route.fetch()
    const counts = await answer.json() as Record<string, unknown>
    await route.fulfill({ response: answer, json: { ...counts, all: { kind: 'at_least', value: 10_000 }, failed: { kind: 'about', value: 84_318 } } })
  })
  await page.reload()
  await expect(tab(page, 'Kõik')).toContainText(/10\s000\+/)
  await expect(tab(page, 'Ebaõnnestunud')).toContainText(/umbes 84\s300/)
})

test('11: new rows wait, and what is ticked, focused and scrolled to stays', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 480 })
  await signIn(page, 'mitu', chamber)
  await page.goto(`/jobs?error=${encodeURIComponent('punktide proov')}&state=%5B%22failed%22%5D`)
  await page.getByRole('button', { name: /^(iga \d+ s|väljas)$/ }).press('Enter')
  await press2s(page)
  const first = rowsOf(page).nth(2)
  const name = await first.getByRole('link').first().textContent()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await tabTo(page, first.getByRole('link').first())
  const before = await rowsOf(page).allTextContents()
  // Part of a word is marked, and the list is scrolled.
  const marked = await first.getByRole('link').first().evaluate((link) => {
    const range = document.createRange()
    range.selectNodeContents(link)
    getSelection()?.removeAllRanges()
    getSelection()?.addRange(range)
    return String(getSelection())
  })
  const scrolled = await scrollBy(page, 60)
  await call(page, 'PUT', `/v2/jobs/${failed[0]?.id}/retry`, {})
  const pill = page.getByRole('button', { name: /näita$/ })
  await expect(pill).toBeVisible()
  expect((await rowsOf(page).allTextContents()).length).toBe(before.length)
  await expect(first.getByRole('link').first()).toBeFocused()
  await expect(first.getByRole('checkbox')).toBeChecked()
  expect(await first.getByRole('link').first().textContent()).toBe(name)
  expect(await page.evaluate(() => String(getSelection()))).toBe(marked)
  expect(await scrollBy(page, 0)).toBe(scrolled)
  await press(page, pill)
  await expect(rowsOf(page)).toHaveCount(before.length - 1)
  await expect(page.getByRole('status').filter({ hasText: '1 töö valitud' })).toBeVisible()
})

/** Scrolls what the rows lie in; how far it is then scrolled. */
async function scrollBy(page: Page, pixels: number): Promise<number> {
  return await rowsOf(page).first().evaluate((row, pixels) => {
    let box = row.parentElement
    while (box && !(box.scrollHeight > box.clientHeight && /auto|scroll/.test(getComputedStyle(box).overflowY))) box = box.parentElement
    if (!box) throw new Error('nothing scrolls')
    box.scrollTop += pixels
    return box.scrollTop
  }, pixels)
}

/** The quickest refreshing, in the open menu. */
async function press2s(page: Page): Promise<void> {
  const choice = page.getByRole('menuitemradio', { name: 'iga 2 s', exact: true })
  await expect(choice).toBeVisible()
  for (let step = 0; step < 8 && !(await choice.evaluate((one) => one === document.activeElement)); step++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'iga 2 s' })).toBeFocused()
}

test('15: a retry is a new attempt beside the old ones; a waiting job is run now; a failed one is acknowledged', async ({ page }) => {
  await signIn(page, 'mitu', chamber)
  await page.goto(`/jobs/${failed[1]?.id}`)
  const attempts = page.getByRole('region', { name: 'Katsed' })
  await expect(attempts.getByRole('heading', { name: /^\d+\. katse$/ })).toHaveCount(1)
  await misbehave({ act: 'http500' })
  await press(page, page.getByRole('button', { name: 'Korda uuesti' }))
  await test.step('what waits for its next try is run at once', async () => {
    const now = page.getByRole('button', { name: 'Käivita kohe' })
    await expect(now).toBeVisible({ timeout: 30_000 })
    await expect(attempts).toContainText('Ajutine viga')
    // The first waits are a second long and may end before the key; each is longer than the one before.
    await expect(async () => {
      await tabTo(page, now, 'Shift+Tab')
      await page.keyboard.press('Enter')
      await expect(attempts).toContainText('Saadeti kohe tegemisele', { timeout: 2_000 })
    }).toPass({ timeout: 90_000 })
    await behave()
    await expect(head(page)).toContainText('Õnnestunud', { timeout: 60_000 })
    await expect(page.locator('body')).not.toBeFocused()
    expect(await attempts.getByRole('heading', { name: /^\d+\. katse$/ }).count()).toBeGreaterThan(2)
    await expect(attempts).toContainText('punktide proov')
    await expectAccessible(page)
  })
  await test.step('what has had its effect is not done again', async () => {
    await expect(head(page)).toContainText('muutusi pole oodata')
    await expect(page.getByRole('button', { name: 'Korda uuesti' })).toHaveAttribute('aria-disabled', 'true')
  })
  await test.step('a failure is acknowledged with a reason', async () => {
    await page.goto(`/jobs/${failed[2]?.id}`)
    await press(page, page.getByRole('button', { name: 'Võta teadmiseks…' }))
    const ask = page.getByRole('dialog')
    await expect(ask.getByRole('button', { name: 'Loobu' })).toBeFocused()
    await type(page, ask.getByLabel('Põhjus'), 'Toimik on lõpetatud')
    await press(page, ask.getByRole('button', { name: 'Võta teadmiseks' }))
    await expect(attempts).toContainText('Toimik on lõpetatud')
    await expect(head(page)).toContainText('Katkestatud')
    await expect(page.locator('body')).not.toBeFocused()
  })
})

test('18: a view is shared by the bureau, restores from its link and is taken away', async ({ page, browser }) => {
  await signIn(page, 'mitu', bailiff101)
  await page.goto('/jobs?queue=%5B%22register%22%5D&state=%5B%22failed%22%5D')
  await press(page, page.getByRole('button', { name: VIEWS }))
  await page.getByRole('menuitem', { name: 'Salvesta see vaade…' }).press('Enter')
  const name = `Punkt 18 ${Date.now()}`
  const dialog = page.getByRole('dialog', { name: 'Salvesta vaade' })
  await type(page, dialog.getByLabel('Nimi'), name)
  await press(page, dialog.getByRole('checkbox'), 'Space')
  await press(page, dialog.getByRole('button', { name: 'Salvesta' }))
  await expect(page.getByRole('button', { name })).toBeVisible()

  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'taitur')
  await other.goto('/jobs')
  await press(other, other.getByRole('button', { name: VIEWS }))
  await expectAccessible(other)
  await other.getByRole('menuitem', { name }).press('Enter')
  await expect(other.getByRole('list', { name: 'Rakendatud filtrid' })).toContainText('Registrid')
  await expect(tab(other, 'Ebaõnnestunud')).toHaveAttribute('aria-current', 'page')
  await page.goto(other.url())
  await expect(tab(page, 'Ebaõnnestunud')).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('button', { name })).toBeVisible()
  await other.goto('/views')
  await expect(other.getByRole('button', { name: `Kustuta: ${name}` })).toHaveAttribute('aria-disabled', 'true')
  await page.goto('/views')
  await press(page, page.getByRole('button', { name: `Kustuta: ${name}` }))
  await expect(page.getByText(`Vaade „${name}“ on kustutatud`)).toBeVisible()
  await other.reload()
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(other.getByText(name)).toHaveCount(0)
  await other.context().close()
})

test('20: personal data is masked until it is asked for, and the asking is in the log', async ({ page }) => {
  await signIn(page, 'arendaja')
  await page.goto(`/jobs/${failed[3]?.id}`)
  const payload = page.getByRole('region', { name: 'Sisend' }).first()
  await expect(payload).toBeVisible()
  const show = payload.getByRole('button', { name: 'Näita isikuandmeid' })
  const masked = await payload.textContent()
  await press(page, show)
  await expect(payload.getByRole('button', { name: 'Peida isikuandmed' })).toBeFocused()
  expect(await payload.textContent()).not.toBe(masked)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(show).toBeFocused()
  await press(page, page.getByRole('link', { name: 'selle töö kirjed' }))
  await expect(page.getByRole('table', { name: 'Logi kirjed' })).toContainText('Isikuandmete vaatamine')
})

test('columns and the height of rows are the person’s own, here and elsewhere', async ({ page, browser }) => {
  await signIn(page, 'mitu', chamber)
  await page.goto('/jobs')
  const chooser = page.getByRole('button', { name: /^Veerud/ })
  await press(page, chooser)
  const columns = page.getByRole('dialog', { name: 'Veerud' })
  await expect(columns.getByRole('textbox', { name: 'Otsi veergu' })).toBeFocused()
  await page.keyboard.type('kestus')
  await press(page, columns.getByLabel('Kestus'), 'Space')
  await expect(columns.getByLabel('Kestus')).toBeChecked()
  await expectAccessible(page)
  await tabTo(page, columns.getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowRight')
  await expect(columns.getByRole('radio', { name: 'Hõre' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(chooser).toBeFocused()
  const other = await (await browser.newContext()).newPage()
  await signIn(other, 'mitu', chamber)
  await other.goto('/jobs')
  await page.reload()
  for (const one of [page, other]) {
    await expect(one.getByRole('columnheader', { name: 'Kestus' })).toBeVisible()
    await expect.poll(() => rowsOf(one).first().evaluate((row) => row.getBoundingClientRect().height)).toBeCloseTo(40, 0)
  }
  await other.context().close()
  await press(page, chooser)
  await press(page, columns.getByRole('button', { name: 'Taasta vaikimisi veerud' }))
  await tabTo(page, columns.getByRole('radio', { checked: true }))
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('columnheader', { name: 'Kestus' })).toHaveCount(0)
  await expect(page.getByText('Rea kõrgus 32')).toBeVisible()
})
