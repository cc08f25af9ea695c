// @vitest-environment jsdom
// The menu's count of alerts: asked for rarely, only by those who may see them, and not at all when the page's refresh is off.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { adopt, leave } from '@/api/session'
import type { RoleName } from '@/api/types'
import { useWrongCount } from '@/features/operations/queries'
import { useRefreshChoice } from '@/lib/refresh-choice'
import { useFiringCount } from './firing-count'

let asked: string[] = []
let firing = 0
let role: RoleName = 'dev'

const answers: Record<string, () => unknown> = {
  '/api/user/1': () => ({ id: 1, name: 'Arvo', language: 'et', row_height: 32, roles: [{ id: 5, tenant_id: 2, role }] }),
  '/api/v2/alerts': () => ({ totalItems: firing, member: [] }),
  '/api/v2/operations': () => ({ queues: [], registers: [], pauses: [], workers: { member: [] } }),
  '/api/cron': () => ({ items: [{ id: 3, name: 'archive-tasks', disabled: null, late_since: '2026-11-29T17:00:00Z' }] }),
}

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  firing = 0
  role = 'dev'
  const began = Date.now()
  vi.stubGlobal('fetch', async (url: string) => {
    const path = url.split('?')[0] ?? ''
    asked.push(`${Math.round((Date.now() - began) / 1000)} ${path}`)
    return new Response(JSON.stringify(answers[path]?.()), { status: 200 })
  })
  adopt({ id: 1, token: 'token', tenant_id: 2, role: { id: 5 } } as unknown as Parameters<typeof adopt>[0])
})
afterEach(() => {
  cleanup()
  leave(false)
  localStorage.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const wrapper = () => {
  const client = new QueryClient()
  return ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
}
const alerts = () => asked.filter((one) => one.endsWith('/v2/alerts')).map((one) => Number.parseInt(one))

it('comes and goes by itself, and stops with "off"', async () => {
  const count = renderHook(() => useFiringCount(), { wrapper: wrapper() })
  expect(count.result.current).toBe(0)
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  firing = 2
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(count.result.current).toBe(2)
  firing = 0
  await act(() => vi.advanceTimersByTimeAsync(15_000))
  expect([count.result.current, alerts()]).toEqual([0, [0, 15, 30]])

  const page = renderHook(() => useRefreshChoice())
  act(() => page.result.current[1]('off'))
  await act(() => vi.advanceTimersByTimeAsync(300_000))
  expect(alerts()).toHaveLength(3)
  page.unmount()
})

it('asks no more often than the page of alerts would', async () => {
  localStorage.setItem('toimik.refresh', '60')
  renderHook(() => useFiringCount(), { wrapper: wrapper() })
  await act(() => vi.advanceTimersByTimeAsync(130_000))
  expect(alerts()).toEqual([0, 60, 120])
})

it('asks nothing for a bailiff, who has no late cron in his count either', async () => {
  role = 'KT'
  firing = 2
  const counts = renderHook(() => [useFiringCount(), useWrongCount()], { wrapper: wrapper() })
  await act(() => vi.advanceTimersByTimeAsync(90_000))
  expect(counts.result.current).toEqual([0, 0])
  expect(new Set(asked.map((one) => one.split(' ')[1]))).toEqual(new Set(['/api/user/1', '/api/v2/operations']))
})

it('has beside it what is wrong, a late cron too', async () => {
  const wrong = renderHook(() => useWrongCount(), { wrapper: wrapper() })
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(wrong.result.current).toBe(1)
})
