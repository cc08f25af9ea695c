// What is done by the clock: run now, switched off and on, shut after failures, late and overlapping.
import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { call } from './support/api'
import { inDatabase } from './support/database'
import { troubles } from './support/queues'
import { signIn } from './support/sign-in'

const row = (page: Page, name: string): Locator => page.getByRole('table', { name: 'Ajastatud tööd' }).locator('tr[data-row]').filter({ hasText: name })
const head = (page: Page): Locator => page.locator('[data-slot="page-head"]')
const banner = (page: Page): Locator => page.locator('[data-slot="banner"]')
const firings = (page: Page): Locator => page.getByRole('table', { name: 'Viimased käivitused' }).locator('tr[data-row]')

async function openCron(page: Page, word: string): Promise<void> {
  await page.goto('/crons')
  await page.getByRole('link', { name: word, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: word })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Järgmised käivitused' }).or(page.getByText('Välja lülitatud töö ei käivitu.'))).toBeVisible()
}

/** The banner of a cron among what is wrong, on the page of queues. */
const amiss = (page: Page, word: string): Locator => troubles(page).locator('[data-slot="banner"]').filter({ hasText: word })

/** Holds the queue of crons, so that what is fired waits. */
async function hold(page: Page): Promise<() => Promise<unknown>> {
  const { id } = await call<{ id: number }>(page, 'POST', '/v2/pauses', { queue: 'cron', reason: 'Ajastatud tööde proov' })
  return () => call(page, 'PUT', `/v2/pauses/${id}/end`, {})
}

test('17: a cron is run now, switched off for a reason and on again', async ({ page, browser }) => {
  await signIn(page, 'arendaja')
  await page.goto('/crons')
  await expect(row(page, 'archive-tasks')).toContainText('iga päev kell 01:40')
  await expect(row(page, 'expire-sessions')).toContainText('iga 15 min')
  await expect(row(page, 'expire-sessions').getByText('iga 15 min')).toHaveAttribute('title', '5,20,35,50 * * * *')
  await row(page, 'expire-sessions').getByRole('button', { name: 'Käivita kohe: Lõppenud seansside koristus' }).click()
  await expect(page.getByText(/^Lõppenud seansside koristus on käivitatud: töö nr/)).toBeVisible()
  await expect(row(page, 'expire-sessions')).toContainText('Õnnestunud')
  await expect(row(page, 'expire-sessions')).toContainText('käsitsi')

  await openCron(page, 'Lõppenud seansside koristus')
  await expect(firings(page).first()).toContainText('Arvo Arendaja (käsitsi)')
  await expect(firings(page).first()).toContainText('Õnnestunud')
  await test.step('the link leads to its job', async () => {
    await firings(page).first().getByRole('link', { name: /^Töö nr/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Korista lõppenud seansid' })).toBeVisible()
    await page.goBack()
  })
  await test.step('it is not switched off without a reason', async () => {
    await page.getByRole('button', { name: 'Lülita välja…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Lülita välja: Lõppenud seansside koristus' })
    await dialog.getByRole('button', { name: 'Lülita välja', exact: true }).click()
    await expect(dialog.getByText('Kirjuta, miks välja lülitatakse.')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByLabel('Põhjus').fill('Seansside tabel on hoolduses')
    await dialog.getByRole('button', { name: 'Lülita välja', exact: true }).click()
    await expect(dialog).toBeHidden()
  })
  await expect(banner(page)).toContainText('Välja lülitatud: uusi käivitusi ei tule.')
  await expect(banner(page).getByRole('button', { name: 'Lülita sisse' }), 'what opened the dialog is gone').toBeFocused()
  await expect(banner(page)).toContainText('„Seansside tabel on hoolduses“')
  await expect(banner(page)).toContainText('Arvo Arendaja')
  await expect(page.getByText('Välja lülitatud töö ei käivitu.')).toBeVisible()
  await expectAccessible(page)

  await test.step('the chamber sees why, and that it may not change it', async () => {
    const other = await (await browser.newContext()).newPage()
    await signIn(other, 'koda')
    await openCron(other, 'Lõppenud seansside koristus')
    await expect(banner(other)).toContainText('Seansside tabel on hoolduses')
    const closed = banner(other).getByRole('button', { name: 'Lülita sisse' })
    await expect(closed).toHaveAttribute('aria-disabled', 'true')
    await closed.focus()
    await expect(other.locator('[data-slot="tip"]')).toContainText('arendaja')
    await other.context().close()
  })
  await test.step('switching on can be taken back', async () => {
    await banner(page).getByRole('button', { name: 'Lülita sisse' }).click()
    await expect(banner(page)).toBeHidden()
    await page.locator('[data-slot="toast"]').filter({ hasText: 'on sisse lülitatud' }).getByRole('button', { name: /^Võta tagasi/ }).click()
    await expect(banner(page)).toContainText('„Seansside tabel on hoolduses“')
    await banner(page).getByRole('button', { name: 'Lülita sisse' }).click()
    await expect(head(page)).toContainText('Korras')
  })
  await test.step('the log tells of it', async () => {
    await page.goto('/audit?objectClass=Cron')
    const log = page.getByRole('table', { name: 'Logi kirjed' })
    for (const word of ['Sisselülitamine', 'Väljalülitamine', 'Käsitsi käivitamine']) await expect(log).toContainText(word)
    await expect(log.getByRole('link', { name: 'Lõppenud seansside koristus' }).first()).toHaveAttribute('href', '/crons/2')
  })
})

test('17: what fails three times in a row is shut, and says so until it is reopened', async ({ page, browser }) => {
  await signIn(page, 'arendaja')
  const release = await hold(page)
  try {
    await openCron(page, 'Toimikute loendi kontroll')
    const before = await firings(page).count()
    for (let n = 1; n <= 3; n++) {
      await page.getByRole('button', { name: 'Käivita kohe' }).click()
      await expect(firings(page)).toHaveCount(before + n)
      await expect(firings(page).first()).toContainText('Järjekorras')
      // While it waits another is refused.
      await expect(page.getByRole('button', { name: 'Käivita kohe' })).toHaveAttribute('aria-disabled', 'true')
      inDatabase(`update jobs set state = 'failed', finished_at = clock_timestamp() where kind = 'ReconcileCaseList' and state in ('queued', 'dispatched')`)
      await expect(firings(page).first()).toContainText('Ebaõnnestunud')
      await expect(head(page)).toContainText(n < 3 ? `${n} ${n === 1 ? 'tõrge' : 'tõrget'} järjest` : 'Suletud tõrgete tõttu')
    }
    await expect(banner(page)).toContainText('Ebaõnnestus mitu korda järjest, seepärast lülitas süsteem selle välja.')
    await expect(banner(page)).toContainText('vaata viimaste käivituste vigu')
    await expectAccessible(page)
    const other = await (await browser.newContext()).newPage()
    const shut = amiss(other, 'Toimikute loendi kontroll')
    await test.step('the page of queues says so too, and leads to it', async () => {
      await signIn(other, 'koda')
      await other.goto('/queues')
      await expect(shut).toContainText('Ajastatud töö on tõrgete tõttu suletud: Toimikute loendi kontroll.')
      await expectAccessible(other)
      await shut.getByRole('link', { name: 'Ava ajastatud töö: Toimikute loendi kontroll' }).click()
      await expect(other).toHaveURL(/\/crons\/\d+$/)
      await expect(other.getByRole('heading', { level: 1, name: 'Toimikute loendi kontroll' })).toBeVisible()
      await other.goBack()
      await expect(shut).toBeVisible()
    })
    await page.goto('/crons')
    await expect(row(page, 'reconcile-case-list')).toContainText('Suletud tõrgete tõttu')
    await expect(row(page, 'reconcile-case-list')).toHaveAttribute('data-tone', 'err')
    await row(page, 'reconcile-case-list').getByRole('button', { name: 'Ava uuesti' }).click()
    await expect(row(page, 'reconcile-case-list')).toContainText('Korras')
    await expect(row(page, 'reconcile-case-list')).toContainText('pärast')
    await expect(shut).toHaveCount(0)
    await expect(troubles(other), 'the pause of the queue is still there').toContainText('on peatatud')
    await other.context().close()
  } finally {
    await release()
  }
})

test('17: a cron that nobody fires is late, and late and overlapping firings are flagged', async ({ page }) => {
  await signIn(page, 'arendaja')
  const scheduler = Number(readFileSync(`${process.env.TOIMIK_DATA}/run/scheduler.pid`, 'utf8'))
  const release = await hold(page)
  process.kill(scheduler, 'SIGSTOP')
  try {
    await openCron(page, 'Vanade tööde arhiivimine')
    await page.getByRole('button', { name: 'Käivita kohe' }).click()
    await expect(firings(page).first()).toContainText('Järjekorras')
    // Two due times pass while no scheduler works.
    inDatabase(`update crons set decided_at = now() - interval '2 days' where name = 'archive-tasks'`)
    await expect(head(page)).toContainText('Hilineb')
    await expect(banner(page)).toContainText('aga ei ole käivitunud')
    await expectAccessible(page)
    await page.goto('/queues')
    await expect(amiss(page, 'Vanade tööde arhiivimine')).toContainText('Ajastatud töö hilineb: Vanade tööde arhiivimine.')
    await expectAccessible(page)
  } finally {
    process.kill(scheduler, 'SIGCONT')
  }
  await expect(amiss(page, 'Vanade tööde arhiivimine')).toHaveCount(0, { timeout: 60_000 })
  await openCron(page, 'Vanade tööde arhiivimine')
  await expect(head(page)).not.toContainText('Hilineb', { timeout: 60_000 })
  const missed = firings(page).filter({ hasText: 'Ei käivitunud' })
  const skipped = firings(page).filter({ hasText: 'Jäeti vahele' })
  await expect(missed.first()).toBeVisible()
  await expect(skipped.first()).toContainText('hilines')
  await expect(skipped.first()).toContainText('kattus eelmisega')
  await expectAccessible(page)
  await release()
  await expect(firings(page).first()).toContainText('Õnnestunud', { timeout: 60_000 })
})

test.describe('far away', () => {
  test.use({ timezoneId: 'America/New_York' })
  test('17: the next five runs are told by Estonian time wherever the browser is', async ({ page }) => {
    await signIn(page, 'koda')
    await openCron(page, 'Vanade tööde arhiivimine')
    const next = page.getByRole('list', { name: 'Järgmised käivitused' }).getByRole('listitem').filter({ hasNotText: 'keeratakse' })
    await expect(next).toHaveCount(5)
    for (let n = 0; n < 5; n++) await expect(next.nth(n)).toHaveText(/^(Esmas|Teisi|Kolma|Nelja|Laup|Püha|Reede)[^ ]*, \d{1,2}\. \S+ \d{4}kell01:40/)
  })
})

test('a bailiff is told whom to ask', async ({ page }) => {
  await signIn(page, 'taitur')
  await page.goto('/crons')
  await expect(page.getByRole('heading', { name: 'Õigus puudub' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Põhimenüü' }).getByRole('link', { name: 'Ajastatud tööd' })).toHaveCount(0)
  await expectAccessible(page)
})
