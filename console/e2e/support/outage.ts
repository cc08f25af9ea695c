// The story of an outage: a register goes down under a bulk action, an operator sees why, pauses, and repairs what failed.
// The test checks each step of it, the pictures show each step of it.
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { confirmLaunch, figure, matches, openLaunch, tabCount } from './bulk'
import { troubles } from './queues'
import { chamber, signIn } from './sign-in'
import { behave, misbehave } from './simulator'

export const PAUSED_FOR = 'Täitmisregister on maas, ootame teadet'
export const REPAIRED_FOR = 'Register on tagasi, tööd uuesti'
/** The register turns away so many orders for good before it says nothing any more. */
export const REFUSED = 12
const REFUSAL = 'Register suletakse hoolduseks'

export type Outage = {
  /** Watches and steers. */
  operator: Page
  /** Launched the action and follows it. */
  owner: Page
  action: string
  cases: number
}

/** The banner of a register that is down. */
export const downBanner = (page: Page): Locator => troubles(page).locator('[data-slot="banner"]').filter({ hasText: 'ei vasta' })
export const errorGroup = (page: Page): Locator => page.getByRole('listitem').filter({ hasText: REFUSAL })

/** The number that stands before or after these words. */
export async function numberIn(said: Locator, words: RegExp): Promise<number> {
  const found = words.exec((await said.innerText()).replaceAll('\u00a0', ' '))
  return figure(found?.[1] ?? null)
}

const probesSaid = /proovitud ([\d ]+) korda?/
export const waitingSaid = /([\d ]+) töö(?:d)? oota/

/** The chamber synchronises a bureau's cases with a register that answers slowly. */
export async function launch(operator: Page, browser: Browser): Promise<Outage> {
  await misbehave({ act: { delay: { ms: [200, 400] } } })
  const owner = await (await browser.newContext()).newPage()
  await signIn(operator, 'arendaja')
  await signIn(owner, 'mitu', chamber)
  await owner.goto('/case_list?number=103%2F')
  await matches(owner)
  const cases = await confirmLaunch(owner, await openLaunch(owner, 'Sünkrooni täitmisregistriga'), /^Sünkrooni/)
  await expect.poll(() => tabCount(owner, 'Õnnestunud'), { timeout: 60_000, intervals: [100] }).toBeGreaterThan(0)
  return { operator, owner, action: new URL(owner.url()).pathname, cases }
}

/** First the register turns orders away, then each call ends in an error of its server, until the breaker opens. */
export async function goDown({ operator }: Outage): Promise<void> {
  await misbehave({ operation: 'TaitemenetluseMuutmineTa', times: REFUSED, act: { refuse: { code: 'SULETUD', text: REFUSAL } } }, { act: 'http500' })
  await operator.goto('/queues')
  await expect(downBanner(operator)).toBeVisible({ timeout: 60_000 })
}

export async function openQueue(page: Page, range = ''): Promise<void> {
  await page.goto(`/queues/register${range}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Registrid' })).toBeVisible()
  await expect(page.locator('[data-slot="bone"], .sweep')).toHaveCount(0)
}

export async function openPauseDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Peata järjekord…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Peata järjekord Registrid' })
  await dialog.getByLabel('Põhjus').fill(PAUSED_FOR)
  return dialog
}

/** Tries the register at once: it is still down. */
export async function probe({ operator }: Outage): Promise<void> {
  const before = await numberIn(downBanner(operator), probesSaid)
  await downBanner(operator).getByRole('button', { name: 'Proovi kohe' }).click()
  await expect.poll(() => numberIn(downBanner(operator), probesSaid)).toBeGreaterThan(before)
}

/** The register answers again and the pause is taken off: the probe that is due closes the breaker. */
export async function comeBack({ operator }: Outage): Promise<void> {
  await behave()
  await operator.getByRole('button', { name: 'Jätka järjekorda' }).click()
  await expect(operator.getByRole('button', { name: 'Peata järjekord…' })).toBeVisible()
  await expect(troubles(operator)).toBeHidden({ timeout: 30_000 })
}

/** One click on the group of errors of the outage offers to repeat all of it. */
export async function offerRepair(page: Page): Promise<Locator> {
  await errorGroup(page).getByRole('button', { name: /^Korda/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Korda töid' })
  await expect(dialog.getByRole('table', { name: 'Näidis' })).toBeVisible()
  return dialog
}

export async function confirmRepair(page: Page, dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Edasi' }).click()
  await dialog.getByLabel('Põhjus').fill(REPAIRED_FOR)
  await dialog.getByRole('button', { name: /^Korda \d+ tööd$/ }).click()
  await expect(page).toHaveURL(/\/operator_actions\/\d+$/)
}

/** Whatever became of the test: the register answers and no queue is held. */
export async function leaveNothing(operator: Page): Promise<void> {
  await behave()
  await operator.evaluate(async () => {
    const { token } = await (await fetch('/api/auth/verify', { method: 'POST' })).json()
    const headers = { Authorization: `Bearer ${token}` }
    const { member } = await (await fetch('/api/v2/pauses', { headers })).json()
    for (const { id, queue } of member) if (queue === 'register') await fetch(`/api/v2/pauses/${id}/end`, { method: 'PUT', headers })
  })
}
