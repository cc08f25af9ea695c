// @vitest-environment jsdom
// What is told of the program's own errors, how often, and what never leaves the browser.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleaned, createLimit, told } from './error-log'
import { ApiError } from './errors'
import { adopt, leave } from './session'

type Sent = { url: string; body: Record<string, string>; authorization: string }
let sent: Sent[] = []

beforeEach(() => {
  sent = []
  vi.stubGlobal('PromiseRejectionEvent', class extends Event {})
  vi.stubGlobal('fetch', async (url: string, init: { body: string; headers: Record<string, string> }) => {
    sent.push({ url, body: JSON.parse(init.body), authorization: init.headers.Authorization ?? '' })
    return new Response(null, { status: 204 })
  })
  adopt({ id: 1, token: 'token', tenant_id: 2, role: null } as unknown as Parameters<typeof adopt>[0])
})
afterEach(() => vi.unstubAllGlobals())

const error = (of: unknown) => told(new ErrorEvent('error', { error: of }))

it('an error is told once, with its place and stack', () => {
  history.replaceState(null, '', '/case_list?q=Tamm')
  const thrown = new TypeError('x is undefined')
  error(thrown)
  error(thrown)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ url: '/api/error-log', authorization: 'Bearer token', body: { message: 'TypeError: x is undefined', path: '/case_list' } })
  expect(sent[0]?.body.stack).toContain('x is undefined')
  expect(JSON.stringify(sent)).not.toContain('Tamm')
})

it('nothing is told of refusals, of interrupted questions, or without a session', () => {
  error(new ApiError(422, ['vale'], [], null, 0))
  error(new DOMException('stopped', 'AbortError'))
  leave(false)
  error(new Error('nobody is signed in'))
  expect(sent).toEqual([])
})

describe('the limit', () => {
  it('lets ten a minute through, the same message once', () => {
    const may = createLimit()
    expect([may('a', 0), may('a', 59_999), may('a', 60_000)]).toEqual([true, false, true])
    const other = createLimit()
    expect(Array.from({ length: 12 }, (_, index) => other(`e${index}`, index)).filter(Boolean)).toHaveLength(10)
    expect(other('later', 61_000)).toBe(true)
  })
})

it.each([
  ['isik 48912230123 ei sobi', 'isik … ei sobi'], ['kiri mari@naide.ee', 'kiri …'], ['at /assets/x.js?v=Tamm:3:4', 'at /assets/x.js:3:4'], ['rida 12', 'rida 12'],
])('%j is told as %j', (text, clean) => {
  expect(cleaned(text)).toBe(clean)
})
