// An outage as the post tells it: what waits for the register is an alert, mailed once, with a link to what waits; and one mail when it is over.
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { call } from './support/api'
import { inDatabase } from './support/database'
import { downBanner, launch } from './support/outage'
import { behave, misbehave } from './support/simulator'

type Letter = { event: string; to: string[]; id: string; subject: string; text: string }

/** What the mail server got for a person, oldest first. */
function letters(to: string, subject: RegExp): Letter[] {
  const lines = readFileSync(`${process.env.TOIMIK_DATA}/post`, 'utf8').split('\n').filter(Boolean)
  const all = lines.map((line) => JSON.parse(line) as Letter)
  return all.filter((one) => one.event === 'mail' && one.to.includes(to) && subject.test(one.subject))
}

test.afterEach(behave)

test('19: an alert on what waits for the register is mailed once, leads to it, and is over once', async ({ page, browser }) => {
  const outage = await launch(page, browser)
  await page.goto('/alerts')
  await page.getByRole('button', { name: 'Uus reegel…' }).click()
  const editor = page.getByRole('dialog', { name: 'Uus häirereegel' })
  await editor.getByLabel('Järjekord').selectOption({ label: 'Registrid' })
  await editor.getByLabel('Üle mitme minuti').fill('5')
  await editor.getByLabel('Peab kestma, minutit').fill('0')
  await editor.getByRole('button', { name: 'Lisa reegel' }).click()
  await expect(editor).toBeHidden()
  await misbehave({ act: 'http500' })
  await page.goto('/queues')
  await expect(downBanner(page)).toBeVisible({ timeout: 60_000 })
  // Ten minutes later.
  inDatabase("update jobs set run_at = run_at - interval '10 min' where queue = 'register' and state = 'queued' and run_at <= clock_timestamp()")

  const operator = 'arendaja@toimik.example'
  await expect.poll(() => letters(operator, /^Häire: /).length, { timeout: 240_000, intervals: [1_000] }).toBe(1)
  const [fired] = letters(operator, /^Häire: /)
  expect(fired?.subject).toBe('Häire: Vanim töö järjekorras Registrid ootab üle 5\u00a0min')
  const link = /https?:\/\/\S*\/jobs\?\S+/.exec(fired?.text ?? '')?.[0] ?? ''
  expect(link.startsWith(process.env.TOIMIK_URL ?? '-')).toBe(true)
  await page.goto(link)
  await expect(page.getByRole('list', { name: 'Rakendatud filtrid' })).toContainText('Registrid')
  await expect(page.getByRole('row').filter({ hasText: 'Sünkrooni' }).first()).toBeVisible()
  await page.goto('/alerts')
  await expect(page.getByRole('region', { name: 'Praegu käivad häired' })).toContainText('järjekorras Registrid')

  await behave()
  await expect.poll(() => letters(operator, /^Häire möödas: /).length, { timeout: 300_000, intervals: [1_000] }).toBe(1)
  // One alert came of it, and it is over.
  await expect(page.getByRole('region', { name: 'Praegu käivad häired' })).toBeHidden()
  const { member } = await call<{ member: Array<{ rule: { measure: string; queue: string | null }; recoveredAt: string | null; silenced: boolean }> }>(page, 'GET', '/v2/alerts')
  const its = member.filter(({ rule }) => rule.measure === 'oldestWaiting' && rule.queue === 'register')
  expect(its.map((alert) => [alert.recoveredAt !== null, alert.silenced])).toEqual([[true, false]])
  for (const person of [operator, 'koda@toimik.example', 'mitu@toimik.example']) {
    const told = letters(person, /^Häire/)
    expect(told.map((one) => one.subject.split(':')[0])).toEqual(['Häire', 'Häire möödas'])
    expect(new Set(told.map((one) => one.id)).size).toBe(2)
  }
  expect(letters('taitur@toimik.example', /^Häire/)).toEqual([])
  // Whoever launched the action hears how it ended.
  await expect.poll(() => letters('mitu@toimik.example', /^Masstegevus/).length, { timeout: 120_000, intervals: [1_000] }).toBe(1)
  await outage.owner.close()
})
