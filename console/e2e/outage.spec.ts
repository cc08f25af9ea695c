// A register goes down under a bulk action: seen in words, paused, probed, repaired, and told by the log.
import { expect, test } from '@playwright/test'
import { figure, tabCount, untilEnded } from './support/bulk'
import { comeBack, confirmRepair, downBanner, errorGroup, goDown, launch, leaveNothing, numberIn, offerRepair, openPauseDialog, openQueue, PAUSED_FOR, probe, REFUSED, REPAIRED_FOR, waitingSaid } from './support/outage'
import { queueRow, troubles } from './support/queues'

test.afterEach(({ page }) => leaveNothing(page))

test('an outage of the register, from the first failure to the last repaired job', async ({ page, browser }) => {
  test.setTimeout(420_000)
  const outage = await launch(page, browser)
  const { operator, owner, cases } = outage
  const ended = async () => (await tabCount(owner, 'Õnnestunud')) + (await tabCount(owner, 'Ebaõnnestunud'))

  await test.step('the overview says first that the register is down, since when, and when it is tried next', async () => {
    await goDown(outage)
    await expect(troubles(operator).locator('[data-slot="banner"]').first()).toContainText(/^Täitmisregister ei vasta\. Päringuid ei saadeta alates/)
    const down = downBanner(operator)
    await expect(down).toContainText(/järgmine proov \d+\ss pärast/)
    await expect(down).toContainText('HTTP 500')
    const failed = await numberIn(down, /ebaõnnestus ([\d ]+) päringut/)
    const calls = await numberIn(down, /päringut ([\d ]+)-st/)
    expect(calls).toBeGreaterThanOrEqual(20)
    expect(failed).toBeLessThanOrEqual(calls)
    await expect(queueRow(operator, 'Registrid')).toContainText('Register ei vasta')
    expect(figure(await queueRow(operator, 'Registrid').getByRole('cell').nth(2).textContent())).toBeGreaterThan(0)
  })

  await test.step('the queue’s page says the same, and that no tries are used up', async () => {
    await openQueue(operator)
    await expect(downBanner(operator)).toContainText('katseid neil ei kulu')
    await expect.poll(async () => (await numberIn(downBanner(operator), waitingSaid)) + (await ended()), { timeout: 30_000 }).toBe(cases)
    await expect(downBanner(operator)).toContainText('proovitud 1 kord', { timeout: 40_000 })
    await expect(downBanner(operator)).toContainText('puudutab 1 bürood')
    await probe(outage)
  })

  await test.step('the bulk action says why it stands', async () => {
    await expect(owner.getByRole('region', { name: 'Edenemine' }).getByRole('status')).toContainText('Täitmisregister ei vasta; katseid ei kulu ja töö jätkub ise.')
    expect(await tabCount(owner, 'Ebaõnnestunud')).toBe(REFUSED)
    expect(await ended()).toBeLessThan(cases)
  })

  const done = await ended()
  await test.step('the operator pauses the queue, and everybody sees why', async () => {
    const dialog = await openPauseDialog(operator)
    await dialog.getByRole('button', { name: 'Peata', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(troubles(operator)).toContainText(PAUSED_FOR)
    await expect(downBanner(operator)).toContainText('järgmine proov kui järjekord jätkub')
    await expect(owner.getByRole('region', { name: 'Edenemine' }).getByRole('status')).toContainText(PAUSED_FOR)
    expect(await ended()).toBe(done)
  })

  await test.step('the register is back and the pause taken off: the action goes on by itself', async () => {
    await comeBack(outage)
    await untilEnded(owner, 240_000)
    expect(await tabCount(owner, 'Ebaõnnestunud')).toBe(REFUSED)
    expect(await tabCount(owner, 'Õnnestunud')).toBe(cases - REFUSED)
  })

  await test.step('what failed is one error, and is repeated as one operator action', async () => {
    await operator.goto('/errors?hours=1&queue=register')
    await expect(errorGroup(operator).getByRole('button', { name: /^Korda/ })).toHaveText(`Korda ${REFUSED}`)
    await expect(errorGroup(operator)).toContainText('büroo 103')
    const dialog = await offerRepair(operator)
    await expect(dialog).toContainText(`Ette võetakse kõik ${REFUSED}`)
    await confirmRepair(operator, dialog)
    await expect(operator.getByText(`${REFUSED} tehtud + 0 ebaõnnestunud + 0 vahele jäetud = ${REFUSED}`)).toBeVisible({ timeout: 60_000 })
    await expect(operator.getByText(REPAIRED_FOR)).toBeVisible()
  })

  await test.step('everything ends ok', async () => {
    await owner.reload()
    await untilEnded(owner, 60_000)
    expect(await tabCount(owner, 'Õnnestunud')).toBe(cases)
    expect(await tabCount(owner, 'Ebaõnnestunud')).toBe(0)
    await operator.goto('/errors?hours=1&queue=register')
    await expect(errorGroup(operator)).toHaveCount(0)
    await operator.goto('/queues')
    await expect(queueRow(operator, 'Registrid')).toContainText('Korras')
    await expect(troubles(operator)).toBeHidden()
  })

  await test.step('the log tells it in order', async () => {
    await operator.goto('/audit')
    const rows = operator.getByRole('table', { name: 'Logi kirjed' }).locator('tr[data-row]')
    await expect(rows.first()).toContainText('Lõppemine')
    const told = (await rows.allInnerTexts()).map((row) => row.split('\t').map((cell) => cell.trim())).map(([, who, , act, object, why]) => [who, act, object, why])
    const begun = told.findIndex(([, act]) => act === 'Rolli valik')
    const bulk = `Masstegevus ${outage.action.split('/').at(-1)}`
    const repair = expect.stringMatching(/^Hulgitegevus \d+$/)
    const pause = expect.stringMatching(/^Paus \d+: Järjekord Registrid$/)
    const ofTheStory = told.slice(0, begun).filter(([, , object]) => /^(Masstegevus|Täitmisregister|Paus|Hulgitegevus)/.test(object ?? ''))
    expect(ofTheStory.toReversed()).toEqual([
      ['Mitu Rolli (koda)', 'Loomine', bulk, '–'],
      ['Mitu Rolli (koda)', 'Toimikute lisamine ja käivitamine', bulk, '–'],
      ['Arvo Arendaja (arendaja)', 'Registri proovimine', 'Täitmisregister', '–'],
      ['Arvo Arendaja (arendaja)', 'Peatamine', pause, PAUSED_FOR],
      ['Arvo Arendaja (arendaja)', 'Jätkamine', pause, '–'],
      ['Arvo Arendaja (arendaja)', 'Käivitamine', repair, REPAIRED_FOR],
      ['süsteem', 'Lõppemine', repair, '–'],
    ])
  })
  await owner.context().close()
})
