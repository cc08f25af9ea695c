// @vitest-environment jsdom
// The menu's count asks by the one polling hook, and not at all when the page's refresh is off.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { adopt, leave } from '@/api/session'
import { refreshIsOff, useRefreshChoice } from '@/lib/refresh-choice'
import { useRunningCount } from './queries'

let asked: number[] = []

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  const began = Date.now()
  vi.stubGlobal('fetch', async () => {
    asked.push(Math.round((Date.now() - began) / 1000))
    return new Response(JSON.stringify({ totalItems: 1, member: [{ date: '2026-01-01', totalItems: 1, member: [{ id: 1, status: 1 }] }] }), { status: 200 })
  })
  adopt({ id: 1, token: 'token', tenant_id: 2, role: null } as unknown as Parameters<typeof adopt>[0])
})
afterEach(() => {
  leave(false)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('climbs the ladder, stops with "off" and goes on after the page', async () => {
  const client = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  const count = renderHook(() => useRunningCount(), { wrapper })
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(count.result.current).toBe(1)
  expect(asked).toEqual([0, 1, 3, 7, 15])

  const page = renderHook(() => useRefreshChoice())
  act(() => page.result.current[1]('off'))
  expect([page.result.current[0], refreshIsOff()]).toEqual(['off', true])
  await act(() => vi.advanceTimersByTimeAsync(300_000))
  expect(asked).toHaveLength(5)

  page.unmount()
  expect(refreshIsOff()).toBe(false)
  await act(() => vi.advanceTimersByTimeAsync(1_500))
  expect(asked).toHaveLength(6)
})
