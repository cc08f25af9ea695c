// Pictures of the story of an outage for docs/operations.md, and of each page of operations on the way.
import { expect, type Page, test } from '@playwright/test'
import { untilEnded } from './support/bulk'
import { comeBack, confirmRepair, downBanner, errorGroup, goDown, launch, leaveNothing, offerRepair, openPauseDialog, openQueue, probe } from './support/outage'
import { both } from './support/pictures'
import { troubles } from './support/queues'

test.use({ colorScheme: 'light' })
test.afterEach(({ page }) => leaveNothing(page))

/** What was said in passing is no part of the page. */
async function still(page: Page): Promise<void> {
  await expect(page.locator('[data-slot="toast"]')).toHaveCount(0, { timeout: 20_000 })
}

test('an outage of the register', async ({ page, browser }) => {
  test.setTimeout(600_000)
  const outage = await launch(page, browser)
  const { operator, owner } = outage
  await goDown(outage)
  await both(operator, 'outage-overview')
  await openQueue(operator, '?range=1h')
  await probe(outage)
  await still(operator)
  await both(operator, 'outage-queue')
  await expect(owner.getByRole('region', { name: 'Edenemine' }).getByRole('status')).toContainText('Täitmisregister ei vasta')
  await both(owner, 'outage-bulk-action')

  const dialog = await openPauseDialog(operator)
  await both(operator, 'outage-pause')
  await dialog.getByRole('button', { name: 'Peata', exact: true }).click()
  await expect(troubles(operator)).toContainText('kui järjekord jätkub')
  await still(operator)
  await both(operator, 'outage-paused')
  await comeBack(outage)
  await expect(downBanner(operator)).toBeHidden()
  await untilEnded(owner, 240_000)

  await operator.goto('/errors?hours=24&queue=register')
  await expect(errorGroup(operator)).toBeVisible()
  await both(operator, 'errors')
  await test.step('its jobs', async () => {
    await errorGroup(operator).getByRole('link', { name: 'Vaata töid' }).click()
    const rows = operator.getByRole('table').locator('tr[data-row]')
    await expect(rows.first()).toContainText('Ebaõnnestunud')
    await both(operator, 'jobs')
    await rows.first().getByRole('link').first().click()
    await expect(operator.getByRole('heading', { level: 1 })).toContainText('Sünkrooni')
    await both(operator, 'job')
  })
  await operator.goto('/errors?hours=24&queue=register')
  const repair = await offerRepair(operator)
  await both(operator, 'outage-repair')
  await confirmRepair(operator, repair)
  await expect(operator.getByText(/\d+ tehtud \+ 0 ebaõnnestunud/)).toBeVisible({ timeout: 60_000 })
  await both(operator, 'operator-action')
  await operator.goto('/audit')
  await expect(operator.getByRole('table', { name: 'Logi kirjed' }).locator('tr[data-row]').first()).toContainText('Lõppemine')
  await both(operator, 'audit')
  await owner.context().close()

  await test.step('the other pages', async () => {
    await operator.goto('/queues')
    await expect(troubles(operator)).toBeHidden()
    await both(operator, 'queues')
    await openQueue(operator, '?range=1h')
    // The figures are summed up once a minute.
    await expect(operator.getByRole('region', { name: 'Kulg' }).getByText(/^Õnnestunud/)).toBeVisible({ timeout: 120_000 })
    await expect(operator.locator('.recharts-surface').first()).toBeVisible()
    await both(operator, 'queue')
    await operator.goto('/workers')
    await expect(operator.getByRole('table').first()).toContainText('Elus')
    await both(operator, 'workers')
    await operator.goto('/errors?hours=24&queue=register')
    await operator.getByRole('button', { name: 'Vaated', exact: true }).click()
    await operator.getByRole('menuitem', { name: 'Salvesta see vaade…' }).click()
    await operator.getByLabel('Nimi').fill('Registri vead')
    await operator.getByRole('button', { name: 'Salvesta', exact: true }).click()
    await still(operator)
    await operator.goto('/views')
    await expect(operator.getByText('Registri vead')).toBeVisible()
    await both(operator, 'views')
  })
})
