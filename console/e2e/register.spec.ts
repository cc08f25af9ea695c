// The chamber synchronises cases while the register misbehaves and while a worker dies.
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { expectAccessible } from './support/axe'
import { confirmLaunch, figure, openLaunch, openTab, pause, tabCount, untilEnded } from './support/bulk'
import { chamber, signIn } from './support/sign-in'
import { behave, misbehave } from './support/simulator'

test.afterEach(behave)

async function launchSync(page: import('@playwright/test').Page, prefix: string): Promise<number> {
  await page.getByRole('link', { name: 'Toimikud', exact: true }).click()
  await page.getByLabel('Toimiku number').fill(prefix)
  await page.getByLabel('Toimiku number').press('Enter')
  await expect(page.getByRole('list', { name: 'Rakendatud filtrid' })).toContainText(prefix)
  const dialog = await openLaunch(page, 'Sünkrooni täitmisregistriga')
  return confirmLaunch(page, dialog, /^Sünkrooni .* toimikut$/)
}

/** Failed tasks are retried from the page's head; the register behaves again. */
async function retryFailed(page: import('@playwright/test').Page): Promise<void> {
  const failed = await tabCount(page, 'Ebaõnnestunud')
  await openTab(page, 'Ebaõnnestunud')
  await expect(page.getByRole('table', { name: 'Alamtegevused' }).getByRole('row').nth(1)).toContainText('Ebaõnnestunud')
  const retry = page.getByRole('button', { name: /^Korda/ }).first()
  if (/ebaõnnestunud/.test((await retry.textContent()) ?? '')) {
    expect(figure(await retry.textContent())).toBe(failed)
    await retry.click()
  } else {
    await retry.click()
    await page.getByRole('menuitem', { name: /^Korda ebaõnnestunud/ }).click()
  }
}

test('every tenth is refused, then retried until all are done', async ({ page }) => {
  await misbehave({ every: 10, act: { refuse: { code: 'KEELDUTUD', text: 'Register keeldus' } } })
  await signIn(page, 'mitu', chamber)
  const count = await launchSync(page, '102/')
  await untilEnded(page, 120_000)
  const failed = await tabCount(page, 'Ebaõnnestunud')
  expect(failed).toBeGreaterThan(0)
  await openTab(page, 'Ebaõnnestunud')
  await expect(page.getByRole('table', { name: 'Alamtegevused' }).getByRole('row').nth(1)).toContainText('Ebaõnnestunud')
  for (const key of ['j', 'x', 'Enter']) await page.keyboard.press(key)
  await expect(page.getByText('1 valitud')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Märgi tehtuks', exact: true }).first().click()
  await expect(page.getByRole('dialog', { name: 'Märgid alamtegevuse tehtuks?' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Põhjus').fill('Tehtud käsitsi registris')
  await page.getByRole('dialog').getByRole('button', { name: 'Märgi tehtuks' }).click()
  await expect.poll(() => tabCount(page, 'Ebaõnnestunud')).toBe(failed - 1)
  await behave()
  await test.step('one task is retried by itself', async () => {
    await page.reload()
    const second = page.getByRole('table', { name: 'Alamtegevused' }).getByRole('row').nth(1)
    await expect(second).toContainText('Ebaõnnestunud')
    await second.getByRole('button', { name: /^Korda uuesti: / }).click()
    await expect(page.getByText('Kordus algas')).toBeVisible()
    await expect.poll(() => tabCount(page, 'Ebaõnnestunud'), { timeout: 60_000 }).toBe(failed - 2)
  })
  await retryFailed(page)
  await expect.poll(() => tabCount(page, 'Ebaõnnestunud'), { timeout: 60_000 }).toBe(0)
  await untilEnded(page, 60_000)
  expect(await tabCount(page, 'Õnnestunud')).toBe(count)
})

test('the same with the worker killed in the middle', async ({ page }) => {
  await misbehave({ act: { delay: { ms: [20, 60] } } }, { every: 10, act: { refuse: { code: 'KEELDUTUD', text: 'Register keeldus' } } })
  await signIn(page, 'mitu', chamber)
  const count = await launchSync(page, '103/')
  await expect.poll(() => tabCount(page, 'Õnnestunud'), { timeout: 60_000, intervals: [100] }).toBeGreaterThan(0)
  process.kill(Number(readFileSync(`${process.env.TOIMIK_DATA}/run/jobs.pid`, 'utf8')), 'SIGKILL')
  await untilEnded(page, 150_000)
  await behave()
  await retryFailed(page)
  await expect.poll(() => tabCount(page, 'Ebaõnnestunud'), { timeout: 60_000 }).toBe(0)
  await untilEnded(page, 60_000)
  expect(await tabCount(page, 'Õnnestunud')).toBe(count)
})

test('a paused action says so, and goes on', async ({ page }) => {
  await misbehave({ act: { delay: { ms: [200, 400] } } })
  await signIn(page, 'mitu', chamber)
  const count = await launchSync(page, '102/')
  await expect.poll(() => tabCount(page, 'Õnnestunud'), { timeout: 60_000, intervals: [100] }).toBeGreaterThan(0)
  await pause(page)
  await expect(page.getByText('Masstegevus on peatatud.')).toBeVisible()
  await expect(page.getByText(/^peatas Mitu Rolli/)).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await expect(page.getByText('Masstegevus on peatatud.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Katkesta…' }).first().click()
  await expect(page.getByRole('dialog', { name: /^Katkestad masstegevuse/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Loobu' }).click()
  await behave()
  await page.getByRole('button', { name: 'Jätka' }).click()
  await expect(page.getByText('Masstegevus on peatatud.')).toBeHidden()
  await untilEnded(page, 120_000)
  expect((await tabCount(page, 'Õnnestunud')) + (await tabCount(page, 'Hoiatusega'))).toBe(count)
})

test('a cancelled action keeps what was done and leaves the rest', async ({ page }) => {
  await misbehave({ act: { delay: { ms: [200, 400] } } })
  await signIn(page, 'mitu', chamber)
  const count = await launchSync(page, '103/')
  await expect.poll(() => tabCount(page, 'Õnnestunud'), { timeout: 60_000, intervals: [100] }).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Katkesta…' }).first().click()
  await page.getByRole('dialog', { name: /^Katkestad masstegevuse/ }).getByRole('button', { name: 'Katkesta masstegevus' }).click()
  await behave()
  await untilEnded(page, 60_000)
  const cancelled = await tabCount(page, 'Katkestatud')
  expect(cancelled).toBeGreaterThan(0)
  expect((await tabCount(page, 'Õnnestunud')) + (await tabCount(page, 'Hoiatusega')) + cancelled).toBe(count)
})
