// One trace from the click to the register's own log: its id stands on the job's page, in every span, and with the effect.
import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { call } from './support/api'
import { confirmLaunch, openLaunch, untilEnded } from './support/bulk'
import { chamber, signIn } from './support/sign-in'
import { effects } from './support/simulator'

type Span = { service: string; trace: string; span: string; parent: string; name: string; kind: string; attributes: Record<string, unknown>; events: number }

/** What our processes have exported of one trace. */
function spans(trace: string): Span[] {
  const lines = readFileSync(`${process.env.TOIMIK_DATA}/spans`, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as Span).filter((span) => span.trace === trace)
}

const of = (all: Span[], service: string, kind: string) => all.filter((span) => span.service === service && span.kind === `SPAN_KIND_${kind}`)

test('one trace from the click to the register', async ({ page }) => {
  await signIn(page, 'mitu', chamber)
  await page.getByRole('link', { name: 'Toimikud', exact: true }).click()
  await page.getByLabel('Toimiku number').fill('101/2026/12')
  await page.getByLabel('Toimiku number').press('Enter')
  await expect(page.getByRole('list', { name: 'Rakendatud filtrid' })).toContainText('101/2026/12')
  const dialog = await openLaunch(page, 'Sünkrooni täitmisregistriga')
  const launched = page.waitForRequest((request) => request.method() === 'POST' && /bulk_actions\/\d+\/cases$/.test(request.url()))
  const count = await confirmLaunch(page, dialog, /^Sünkrooni .*toimik/)
  const trace = /^00-([0-9a-f]{32})-/.exec((await launched).headers().traceparent ?? '')?.[1] ?? ''
  expect(trace).not.toBe('')
  await untilEnded(page, 60_000)

  const action = page.url().split('/').at(-1)
  const { member } = await call<{ member: Array<{ id: number; caseNumber: string }> }>(page, 'GET', `/v2/jobs?bulkAction=${action}`)
  expect(member).toHaveLength(count)
  const job = member[0] ?? { id: 0, caseNumber: '' }

  await test.step('the id is on the job, on its page', async () => {
    await page.goto(`/jobs/${job.id}`)
    await expect(page.getByText(trace)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Kopeeri jälje id' })).toBeVisible()
  })
  await test.step('api, jobs and the call to the register are its spans', async () => {
    await expect.poll(() => of(spans(trace), 'toimik-jobs', 'CONSUMER').length).toBe(count)
    await expect.poll(() => of(spans(trace), 'toimik-api', 'SERVER').map((span) => span.name)).toContain('POST /api/v2/bulk_actions/{id}/cases')
    const all = spans(trace)
    const runs = of(all, 'toimik-jobs', 'CONSUMER')
    expect(runs.map((span) => span.name)).toEqual(Array.from({ length: count }, () => 'SyncToRegister'))
    const calls = of(all, 'toimik-jobs', 'CLIENT')
    expect(calls.map((span) => span.name)).toContain('tarn sync')
    // A call hangs under its run; run and request hang under the click.
    for (const call of calls) expect(runs.map((run) => run.span)).toContain(call.parent)
    for (const span of [...runs, ...of(all, 'toimik-api', 'SERVER')]) expect(span.parent).toBe(trace.slice(16))
    for (const span of all) expect(span.events, 'logs stay in the log').toBe(0)
  })
  await test.step('the register knows it too', async () => {
    expect((await effects(job.caseNumber)).map((effect) => effect.trace)).toContain(trace)
  })
})

test('a refusal names its trace', async ({ page }) => {
  await signIn(page, 'mitu', chamber)
  const problem = await page.evaluate(async () => {
    const { token } = await (await fetch('/api/auth/verify', { method: 'POST' })).json()
    const answer = await fetch('/api/v2/jobs/999999999', { headers: { Authorization: `Bearer ${token}` } })
    return (await answer.json()) as { requestId: string; traceId: string }
  })
  expect(problem.traceId).toBe(problem.requestId.replaceAll('-', ''))
  // Each line of a request says whose it is.
  const lines = readFileSync(`${process.env.TOIMIK_DATA}/log/api.log`, 'utf8').split('\n').filter((line) => line.includes('"api::gate"'))
  const whose = lines.map((line) => (JSON.parse(line) as { spans?: Array<Record<string, string>> }).spans?.[0]?.['trace.id'])
  expect(whose).toContain(problem.traceId)
  expect(whose).not.toContain(undefined)
  await expect.poll(() => spans(problem.traceId).map((span) => [span.name, span.attributes['http.response.status_code']])).toEqual([['GET /api/v2/jobs/{id}', 404]])
})
