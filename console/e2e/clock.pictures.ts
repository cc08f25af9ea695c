// Pictures of what is done by the clock, of alerts and of mails, for docs/operations.md.
import { expect, type Page, test } from '@playwright/test'
import { inDatabase } from './support/database'
import { synchronise } from './support/examples'
import { both } from './support/pictures'
import { chamber, signIn } from './support/sign-in'

test.use({ colorScheme: 'light' })

/** A fortnight of nights: most went well, one was late, one failed. */
const NIGHTS = `
  insert into cron_runs (cron, scheduled_at, fired_at, outcome, started_at, finished_at, overlapped)
  select 'archive-tasks', due, due + late, outcome, due + late + interval '40 ms', due + late + interval '40 ms' + took, false
  from (select due, n,
          case n when 4 then interval '7 min 12 s' else interval '300 ms' end as late,
          case n when 6 then 'failed' when 9 then 'warning' else 'ok' end as outcome,
          (interval '1 ms' * (1800 + 700 * sin(n) + case n when 9 then 4100 else 0 end)) as took
        from (select n, (date_trunc('day', now() at time zone 'Europe/Tallinn') - n * interval '1 day' + interval '1 h 40 min') at time zone 'Europe/Tallinn' as due
              from generate_series(1, 14) n) days) nights
  on conflict do nothing`

async function still(page: Page): Promise<void> {
  await expect(page.locator('[data-slot="toast"]')).toHaveCount(0, { timeout: 20_000 })
}

test('the clock', async ({ page }) => {
  inDatabase(NIGHTS)
  await signIn(page, 'arendaja')
  await page.goto('/crons')
  for (const name of ['Toimikute loendi kontroll', 'Lõppenud seansside koristus']) {
    await page.getByRole('button', { name: `Käivita kohe: ${name}` }).click()
    await expect(page.getByRole('table').locator('tr[data-row]').filter({ hasText: name })).toContainText('Õnnestunud')
  }
  await still(page)
  await page.goto('/crons')
  await expect(page.getByRole('table').locator('tr[data-row]').first()).toContainText('Õnnestunud')
  await both(page, 'crons')
  await page.goto('/crons/3')
  await expect(page.getByRole('table', { name: 'Viimased käivitused' })).toContainText('hilines')
  await both(page, 'cron')
})

test('the watch', async ({ page }) => {
  await signIn(page, 'koda')
  await page.goto('/alerts')
  for (const [measure, field, choice] of [
    ['Vanim ootav töö', 'Järjekord', 'Registrid'], ['Ebaõnnestunute osakaal', 'Järjekord', 'Registrid'], ['Register ei vasta', 'Register', 'Täitmisregister'], ['Töid ootab, aga keegi ei tööta', 'Järjekord', 'Import'],
  ] as const) {
    await page.getByRole('button', { name: 'Uus reegel…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Mida jälgida').selectOption({ label: measure })
    await dialog.getByRole('combobox', { name: field, exact: true }).selectOption({ label: choice })
    await expect(dialog.getByRole('region', { name: 'Viimane nädal' }).getByRole('status')).toBeVisible()
    if (measure === 'Vanim ootav töö') await both(page, 'alert-rule')
    await dialog.getByRole('button', { name: 'Lisa reegel' }).click()
    await expect(dialog).toBeHidden()
  }
  await page.getByRole('button', { name: 'Vaigista: Täitmisregister ei vasta' }).click()
  await page.getByRole('menuitem', { name: 'Homme 08:00' }).click()
  await still(page)
  await page.goto('/alerts')
  await expect(page.getByRole('table', { name: 'Reeglid' })).toContainText('Vaigistatud')
  await both(page, 'alerts')
})

test('the post', async ({ page, browser }) => {
  const owner = await (await browser.newContext()).newPage()
  await signIn(owner, 'mitu', chamber)
  await synchronise(owner, 'number=101%2F2026%2F1')
  await owner.context().close()
  await signIn(page, 'arendaja')
  await page.goto('/mailbox')
  const row = page.getByRole('table', { name: 'Postkast' }).locator('tr[data-row]').first()
  await expect(row).toContainText('Saadetud', { timeout: 120_000 })
  await both(page, 'mailbox')
  await row.getByRole('link').click()
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toBeVisible()
  await both(page, 'mail')
  await page.locator('#role-menu').click()
  await page.getByRole('menuitem', { name: 'E-kirjad…' }).click()
  await expect(page.getByRole('dialog').getByRole('switch').first()).toBeVisible()
  await both(page, 'mail-preferences')
})
