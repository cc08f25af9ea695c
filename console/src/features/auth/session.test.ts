// @vitest-environment jsdom
// What ends a session and what must not: pointing at "sign out", a wrong password, a lost token during an upload, leaving one.
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { onSignedOut } from '@/api/client'
import { ApiError } from '@/api/errors'
import { adopt, currentSession, leave } from '@/api/session'
import { upload } from '@/api/upload'
import { Route } from '@/routes/logout'
import { signIn } from './queries'

let asked: string[] = []
const went = vi.fn()

beforeEach(() => {
  asked = []
  went.mockClear()
  onSignedOut(went)
  leave(false)
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return new Response(JSON.stringify({ message: 'no' }), { status: 401, headers: { 'Content-Type': 'application/json' } })
  })
})
afterEach(() => vi.unstubAllGlobals())

function signedIn(): void {
  adopt({ id: 1, token: 'token', tenant_id: 2, role: null } as unknown as Parameters<typeof adopt>[0])
}

/** The browser's request, answered or left hanging by the test. */
function answerUploads(status: number | null) {
  const made: Array<EventTarget & { aborted: boolean }> = []
  class FakeRequest extends EventTarget {
    upload = new EventTarget()
    status = 0
    response = null
    aborted = false
    open() {}
    setRequestHeader() {}
    getResponseHeader() {
      return null
    }
    send() {
      made.push(this)
      if (status === null) return
      this.status = status
      queueMicrotask(() => this.dispatchEvent(new Event('load')))
    }
    abort() {
      this.aborted = true
      this.dispatchEvent(new Event('abort'))
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest)
  return made
}

it('a link that is only pointed at signs nobody out', async () => {
  signedIn()
  const enter = Route.options.beforeLoad as unknown as (options: { preload: boolean; context: { queryClient: QueryClient } }) => Promise<void>
  await enter({ preload: true, context: { queryClient: new QueryClient() } })
  expect([asked, currentSession()?.userId]).toEqual([[], 1])
  await expect(enter({ preload: false, context: { queryClient: new QueryClient() } })).rejects.toBeDefined()
  expect([asked, currentSession()]).toEqual([['/api/auth/logout'], null])
})

it('a wrong password is a wrong password, not a lost session', async () => {
  await expect(signIn('taitur', 'vale')).rejects.toMatchObject({ status: 401 })
  expect(asked).toEqual(['/api/auth/login'])
  expect(went).not.toHaveBeenCalled()
})

it('a session lost during an upload leads to sign-in', async () => {
  signedIn()
  const made = answerUploads(401)
  await expect(upload('/import/taavi', new FormData(), {}, () => undefined)).rejects.toMatchObject({ status: 401 })
  expect([made.length, asked, currentSession()]).toEqual([1, ['/api/auth/verify'], null])
  expect(went).toHaveBeenCalledOnce()
})

it('an upload stops with its signal, and says nothing', async () => {
  signedIn()
  const made = answerUploads(null)
  const stop = new AbortController()
  const sent = upload('/import/taavi', new FormData(), {}, () => undefined, stop.signal)
  stop.abort()
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
  await expect(sent).rejects.not.toBeInstanceOf(ApiError)
  expect(made.map((one) => one.aborted)).toEqual([true])
  await expect(upload('/import/taavi', new FormData(), {}, () => undefined, stop.signal)).rejects.toMatchObject({ name: 'AbortError' })
  expect(made).toHaveLength(1)
})
