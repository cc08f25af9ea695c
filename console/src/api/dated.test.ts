// An answer is as old as its arrival less what the server says; a 304 renews the time and keeps the body.
import { afterEach, expect, it, vi } from 'vitest'
import { getDated } from './client'

afterEach(() => vi.unstubAllGlobals())

it('takes the Age off, also of an answer that has not changed', async () => {
  vi.useFakeTimers({ now: 100_000 })
  const asked: Array<string | null> = []
  const answers = [
    new Response('{"n":1}', { headers: { etag: '"a"', age: '3' } }),
    new Response(null, { status: 304, headers: { age: '1' } }),
    new Response('{"n":2}', { headers: { etag: '"b"' } }),
  ]
  vi.stubGlobal('fetch', async (_url: string, init: { headers: Headers }) => {
    asked.push(init.headers.get('If-None-Match'))
    return answers.shift()
  })
  expect(await getDated('/v2/operations')).toEqual({ at: 97_000, body: { n: 1 } })
  vi.setSystemTime(110_000)
  expect(await getDated('/v2/operations')).toEqual({ at: 109_000, body: { n: 1 } })
  expect(await getDated('/v2/operations')).toEqual({ at: 110_000, body: { n: 2 } })
  expect(asked).toEqual([null, '"a"', '"a"'])
  vi.useRealTimers()
})
