// The operations console's points about many jobs at once, on its pages: the bar and its cause, preview, pace, stop, what failed.
import { type Browser, expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { call } from './support/api'
import { confirmLaunch, figure, matches, openLaunch, tabCount, untilEnded } from './support/bulk'
import { order, refuse, synchronise, untilSettled } from './support/examples'
import { readCsv } from './support/files'
import { press, tabTo, type } from './support/keyboard'
import { chamber, signIn } from './support/sign-in'
import { behave, misbehave } from './support/simulator'

const progress = (page: Page) => page.getByRole('region', { name: 'Edenemine' })
const done = async (page: Page) => Number(await progress(page).getByRole('progressbar').getAttribute('aria-valuenow'))
const itemTab = (page: Page, word: string) => page.getByRole('navigation', { name: 'Tööde seis' }).getByRole('link', { name: new RegExp(`^${word}`) })
const items = async (page: Page, word: string) => figure(await itemTab(page, word).textContent())

/** What a test leaves behind is taken back, whatever became of it. */
const after: Array<() => Promise<unknown>> = []
test.afterEach(async () => {
  await behave()
  await Promise.all(after.splice(0).map((act) => act()))
})

/** An operator who holds a queue until he lets it go. */
async function hold(browser: Browser, queue: string, reason: string): Promise<{ operator: Page; release: () => Promise<unknown> }> {
  const operator = await (await browser.newContext()).newPage()
  await signIn(operator, 'arendaja')
  const { id } = await call<{ id: number }>(operator, 'POST', '/v2/pauses', { queue, reason })
  let held = true
  const release = async () => {
    if (held) await call(operator, 'PUT', `/v2/pauses/${id}/end`, {})
    held = false
  }
  after.push(release)
  return { operator, release }
}

test('4: the bar never goes back, says why it stands, and is the same elsewhere', async ({ page, browser }) => {
  const { operator, release } = await hold(browser, 'register', `Registri hooldus kella kümneni ${'ü'.repeat(160)}`)
  await misbehave({ act: { delay: { ms: 150 } } })
  await signIn(page, 'mitu', chamber)
  await page.goto('/case_list?number=102%2F2026%2F1')
  await matches(page)
  await page.clock.install()
  const total = await confirmLaunch(page, await openLaunch(page, 'Sünkrooni täitmisregistriga'), /^Sünkrooni/)
  await expect(progress(page)).toContainText('Järjekord Registrid on peatatud')
  await expect(progress(page)).toContainText('„Registri hooldus kella kümneni ü')
  expect(await progress(page).evaluate((panel) => panel.scrollWidth <= panel.clientWidth), 'a long word breaks').toBe(true)
  await page.clock.fastForward(75_000)
  await expect(progress(page)).toContainText('liikumist ei ole 1 min')
  await expectAccessible(page)
  expect(await done(page)).toBe(0)
  await release()
  let before = 0
  await expect.poll(async () => {
    const now = await done(page)
    expect(now).toBeGreaterThanOrEqual(before)
    before = now
    return now
  }, { timeout: 60_000, intervals: [50] }).toBe(total)
  await untilEnded(page, 30_000)
  await operator.goto(new URL(page.url()).pathname)
  for (const one of [page, operator]) {
    await one.reload()
    await expect(progress(one)).toContainText(`/ ${total} · 100`)
    expect(await tabCount(one, 'Õnnestunud') + await tabCount(one, 'Hoiatusega')).toBe(total)
  }
})

test('5 and 6: all matches are cancelled after a preview and a typed number, at a pace, with a pause, until a stop', async ({ page, browser }) => {
  const { operator } = await hold(browser, 'bulk', 'Punktid 5 ja 6')
  await signIn(page, 'mitu', chamber)
  await page.goto('/case_list')
  await matches(page)
  const total = await confirmLaunch(page, await openLaunch(page, 'Arvuta uus põhitasu'), /^Arvuta põhitasu/)
  expect(total).toBeGreaterThan(1_000)
  const bulkAction = Number(page.url().split('/').at(-1))
  after.push(() => call(operator, 'PUT', `/v2/bulk_action/${bulkAction}/cancel`, {}))
  await expect.poll(() => tabCount(page, 'Kõik'), { timeout: 60_000 }).toBe(total)

  await page.goto(`/jobs?bulkAction=${bulkAction}`)
  const rows = page.getByRole('table', { name: 'Tööde loend' }).locator('tr[data-row]')
  await expect(rows).toHaveCount(50)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await press(page, page.getByRole('button', { name: /^Vali kõik \d+\s?\d* vastet$/ }))
  await expect(page.getByRole('status').filter({ hasText: 'vastet valitud' })).toContainText('Kõik')
  await press(page, page.getByRole('button', { name: 'Katkesta…' }))
  const dialog = page.getByRole('dialog', { name: 'Katkesta tööd' })
  await test.step('the preview says the number, the filter in words and ten of them', async () => {
    await expect(dialog).toContainText(`masstegevus nr ${bulkAction}`)
    await expect(dialog.getByRole('table', { name: 'Näidis' }).getByRole('row')).toHaveCount(11)
    expect(figure(await dialog.locator('p').first().textContent())).toBe(total)
    await expectAccessible(page)
    await press(page, dialog.getByRole('button', { name: 'Edasi' }))
  })
  await test.step('more than a thousand are confirmed by their number', async () => {
    const verb = dialog.getByRole('button', { name: /^Katkesta \d/ })
    expect(figure(await verb.textContent())).toBe(total)
    await expect(verb).toHaveAttribute('aria-disabled', 'true')
    await type(page, dialog.getByLabel('Põhjus'), 'Vale filter')
    await type(page, dialog.getByLabel(/^Kinnitamiseks kirjuta tööde arv/), String(total))
    const pace = dialog.getByLabel('Tempo, kuni tööd/s', { exact: true })
    await tabTo(page, pace, 'Shift+Tab')
    await page.keyboard.type('20')
    await expectAccessible(page)
    await press(page, verb)
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Katkesta tööd' })).toBeFocused()
  expect(await items(page, 'Kõik')).toBe(total)
  await expect.poll(() => items(page, 'Tehtud'), { timeout: 30_000 }).toBeGreaterThan(0)
  await expect(page.getByText('Vale filter')).toBeVisible()

  await test.step('its pace is the one that was given, and can be changed', async () => {
    const pace = page.getByLabel('Tempo, kuni tööd/s', { exact: true })
    await expect(pace).toHaveValue('20')
    const set = page.waitForResponse((answer) => answer.url().endsWith('/pace'))
    await type(page, pace, '40')
    await page.keyboard.press('Enter')
    expect((await (await set).json()).perSecond).toBe(40)
    await expect(pace).toBeFocused()
  })
  await test.step('its rate and its end are told, to whoever opens it now too', async () => {
    const told = /Tempo\d+(,\d)?\/s.*Jäänud\d/
    await expect(progress(page)).toContainText(told, { timeout: 15_000 })
    await page.reload()
    await expect(progress(page)).toContainText(told)
  })
  await test.step('paused, nothing more is taken; resumed, it goes on; the focus stays', async () => {
    await press(page, page.getByRole('button', { name: 'Peata', exact: true }))
    await expect(page.getByText('Hulgitegevus on peatatud.', { exact: true })).toBeVisible()
    const resume = page.locator('[data-slot="page-head"]').getByRole('button', { name: 'Jätka' })
    await expect(resume).toBeFocused()
    // What was taken before the pause may still be counted; then nothing more is.
    const id = page.url().split('/').at(-1)
    let last = -1
    await expect.poll(async () => {
      const { counts } = await call<{ counts: { done: number } }>(page, 'GET', `/v2/operator_actions/${id}`)
      const same = counts.done === last
      last = counts.done
      return same
    }, { intervals: [1_000] }).toBe(true)
    await expect.poll(() => items(page, 'Tehtud')).toBe(last)
    await expectAccessible(page)
    await press(page, resume, 'Space')
    await expect(page.getByRole('button', { name: 'Peata', exact: true })).toBeFocused()
    await expect.poll(() => items(page, 'Tehtud'), { timeout: 30_000 }).toBeGreaterThan(last)
  })
  await test.step('stopped, no further job is taken and each is accounted for', async () => {
    await press(page, page.getByRole('button', { name: 'Lõpeta…' }))
    const ask = page.getByRole('dialog')
    await expect(ask.getByRole('button', { name: 'Loobu' })).toBeFocused()
    await expectAccessible(page)
    await press(page, ask.getByRole('button', { name: 'Lõpeta hulgitegevus' }))
    await untilSettled(page)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    const [cancelled, left] = [await items(page, 'Tehtud'), await items(page, 'Vahele jäetud')]
    expect(cancelled).toBeGreaterThan(0)
    expect(left).toBeGreaterThan(0)
    expect(cancelled + left).toBe(total)
  })
})

test('2 and 3: what failed opens by its reason, goes out as a file and is run again by itself', async ({ page }, info) => {
  await refuse('Register keeldus: punkt kolm')
  await signIn(page, 'mitu', chamber)
  const { id } = await synchronise(page, 'number=102%2F2026%2F2')
  const retried = await order(page, 'retry', { bulkAction: id })
  await page.goto(`/operator_actions/${retried}`)
  await untilSettled(page)
  await behave()
  const [all, ok, failed, skipped] = [await items(page, 'Kõik'), await items(page, 'Tehtud'), await items(page, 'Ebaõnnestunud'), await items(page, 'Vahele jäetud')]
  expect(failed).toBeGreaterThan(0)
  expect(ok + failed + skipped).toBe(all)
  await itemTab(page, 'Ebaõnnestunud').press('Enter')
  await expect(page.getByRole('table', { name: 'Tööd selles tegevuses' }).locator('tr[data-row]').first()).toContainText('Register keeldus: punkt kolm')

  const file = page.getByRole('button', { name: /^Tegemata/ })
  expect(figure((await file.textContent())?.replace('CSV', '') ?? '')).toBe(failed + skipped)
  const [download] = await Promise.all([page.waitForEvent('download'), file.press('Enter')])
  const path = info.outputPath('tegemata.csv')
  await download.saveAs(path)
  expect(readCsv(path)).toHaveLength(failed + skipped + 1)

  await press(page, page.getByRole('button', { name: `Korda ainult ebaõnnestunud ${failed}` }))
  await expect(page).not.toHaveURL(new RegExp(`/operator_actions/${retried}\\b`))
  await untilSettled(page)
  expect([await items(page, 'Kõik'), await items(page, 'Tehtud')]).toEqual([failed, failed])
  const child = page.url().split('/').at(-1)
  await press(page, page.getByRole('link', { name: /^kordab tegevuse nr/ }))
  await expect(page).toHaveURL(new RegExp(`/operator_actions/${retried}$`))
  await expect(page.getByRole('link', { name: `nr ${child}` })).toBeVisible()
})
