// The health of queues in words while their workers freeze and come back, and the course of a queue as charts.
import { readFileSync } from 'node:fs'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { confirmLaunch, figure, matches, openLaunch, untilEnded } from './support/bulk'
import { queueRow, troubles } from './support/queues'
import { chamber, signIn } from './support/sign-in'

/** The cell under that head, found by the head's place. */
async function cell(page: Page, name: string, head: string): Promise<Locator> {
  const heads = await page.getByRole('table', { name: 'Järjekorrad' }).getByRole('columnheader').allInnerTexts()
  return queueRow(page, name).getByRole('cell').nth(heads.indexOf(head))
}

/** Synchronises the cases of a bureau; returns how many. */
async function launch(page: Page): Promise<number> {
  await page.goto('/case_list?number=103%2F')
  await matches(page)
  return confirmLaunch(page, await openLaunch(page, 'Sünkrooni täitmisregistriga'), /^Sünkrooni/)
}

test('13: the health of queues is said in words, and a queue without workers says so', async ({ page, browser }) => {
  test.setTimeout(420_000)
  const pid = Number(readFileSync(`${process.env.TOIMIK_DATA}/run/jobs.pid`, 'utf8'))
  const owner = await (await browser.newContext()).newPage()
  await signIn(owner, 'mitu', chamber)
  await signIn(page, 'koda')
  await page.goto('/queues')
  await expect(queueRow(page, 'Registrid')).toContainText('Korras')
  await expect(troubles(page)).toBeHidden()
  await expect(await cell(page, 'Registrid', 'Ootel')).toHaveText('0')
  await expect(await cell(page, 'Registrid', 'Vanim ootel')).toHaveText('–')
  await expect(await cell(page, 'Registrid', 'Tühjeneb')).toHaveText('kohe')
  await expect(await cell(page, 'Registrid', 'Töötlejad')).toHaveText('1 elus')
  process.kill(pid, 'SIGSTOP')
  try {
    const count = await launch(owner)
    await test.step('jobs wait, and the worker is doubtful', async () => {
      await expect.poll(async () => figure(await (await cell(page, 'Registrid', 'Ootel')).textContent())).toBe(count)
      await expect(await cell(page, 'Registrid', 'Vanim ootel')).toHaveText(/^\d+\s(s|min)$/)
      await expect(await cell(page, 'Registrid', 'Töötlejad')).toHaveText('1 kahtlane', { timeout: 90_000 })
    })
    await test.step('the worker is lost: nobody works on the queue', async () => {
      await expect(troubles(page)).toContainText('Järjekorraga Registrid ei tööta keegi.', { timeout: 180_000 })
      await expect(troubles(page)).toContainText(new RegExp(`${count} tööd jätkuvad ise, kui mõni töötleja käivitub`))
      await expect(queueRow(page, 'Registrid')).toContainText('keegi ei tööta selle järjekorraga')
      await expect(await cell(page, 'Registrid', 'Tühjeneb')).toHaveText('ei tühjene')
      await expect(await cell(page, 'Registrid', 'Vanim ootel')).toHaveText(/^\d+\smin$/)
      await expect(await cell(page, 'Registrid', 'Töötlejad')).toHaveText('1 kadunud')
      await expectAccessible(page)
    })
    await test.step('the bulk action says it too', async () => {
      await expect(owner.getByRole('region', { name: 'Edenemine' }).getByRole('status')).toContainText('Järjekorraga Registrid ei tööta keegi.')
    })
    await troubles(page).getByRole('link', { name: 'Vaata töötlejaid' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Töötlejad' })).toBeVisible()
    await expect(page.getByRole('table').first()).toContainText('Kadunud')
    await expectAccessible(page)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await test.step('the worker is back, and the work goes on by itself', async () => {
    await expect(page.getByRole('table').first()).toContainText('Elus', { timeout: 60_000 })
    await untilEnded(owner, 180_000)
    await page.goto('/queues')
    await expect(queueRow(page, 'Registrid')).toContainText('Korras', { timeout: 60_000 })
    await expect(troubles(page)).toBeHidden()
  })
  await owner.context().close()
})

test('a queue’s course is drawn, and is a table for who cannot see it', async ({ page }) => {
  test.setTimeout(300_000)
  await signIn(page, 'mitu', chamber)
  const course = page.getByRole('region', { name: 'Kulg' })
  const done = async () => figure(/Õnnestunud ([\d\s]+)/.exec(await course.innerText())?.[1] ?? null)
  await page.goto('/queues/register')
  await expect(course).toBeVisible()
  await expect(page.locator('[data-slot="bone"], .sweep')).toHaveCount(0)
  const before = await done()
  const count = await launch(page)
  await untilEnded(page, 120_000)
  await page.goto('/queues/register')
  // The figures are summed up once a minute.
  await expect.poll(done, { timeout: 150_000 }).toBeGreaterThanOrEqual(before + count)
  await course.getByRole('link', { name: '24 h' }).click()
  await expect(page).toHaveURL(/range=24h/)
  await expect(course.locator('.recharts-surface').first()).toBeVisible()
  await expectAccessible(page)
  await course.getByRole('button', { name: 'Tabelina' }).click()
  await expect(page).toHaveURL(/table=true/)
  await expect(course.getByRole('table', { name: 'Kulg' }).getByRole('row').nth(1)).toBeVisible()
  await expectAccessible(page)
  await page.reload()
  await expect(course.locator('[aria-current]')).toHaveText('24 h')
  await expect(course.getByRole('table', { name: 'Kulg' })).toBeVisible()
  await page.goto('/queues/olematu')
  await expect(page).toHaveURL(/\/queues$/)
})
