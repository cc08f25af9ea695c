// @vitest-environment jsdom
// The polling hook on a clock of its own.
import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '@/api/errors'
import type { PollOutcome } from './poll'
import { type PollEvery, usePoll } from './use-poll'

let hidden = false
beforeEach(() => {
  vi.useFakeTimers()
  hidden = false
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
})
afterEach(() => vi.useRealTimers())

function start(props: { active?: boolean; every?: PollEvery; resetKey?: number; answer?: PollOutcome }) {
  const asked: number[] = []
  const began = Date.now()
  const ask = async () => {
    asked.push((Date.now() - began) / 1000)
    return props.answer ?? 'unchanged'
  }
  const hook = renderHook((now: typeof props) => usePoll({ active: now.active ?? true, every: now.every ?? 'auto', ask, resetKey: now.resetKey ?? 0 }), { initialProps: props })
  return { asked, ...hook }
}

it('asks after 1, 3, 7, 15, 31, 63 and 95 s', async () => {
  const { asked } = start({})
  await vi.advanceTimersByTimeAsync(100_000)
  expect(asked).toEqual([1, 3, 7, 15, 31, 63, 95])
})

it('starts over when the person acts', async () => {
  const { asked, rerender } = start({})
  await vi.advanceTimersByTimeAsync(8_000)
  rerender({ resetKey: 1 })
  await vi.advanceTimersByTimeAsync(4_000)
  expect(asked).toEqual([1, 3, 7, 9, 11])
})

it('asks nothing when it is off or nothing moves', async () => {
  const off = start({ every: 'off' })
  const still = start({ active: false })
  await vi.advanceTimersByTimeAsync(300_000)
  expect([off.asked, still.asked]).toEqual([[], []])
})

it('keeps to a fixed gap', async () => {
  const { asked } = start({ every: 10 })
  await vi.advanceTimersByTimeAsync(35_000)
  expect(asked).toEqual([10, 20, 30])
})

it('asks nothing in a hidden tab and once on return', async () => {
  const { asked } = start({})
  await vi.advanceTimersByTimeAsync(1_500)
  hidden = true
  await vi.advanceTimersByTimeAsync(600_000)
  expect(asked).toEqual([1])
  hidden = false
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(500)
  expect(asked).toEqual([1, 601.5])
})

it('stops with the page', async () => {
  const { asked, unmount } = start({})
  await vi.advanceTimersByTimeAsync(1_500)
  unmount()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toEqual([1])
})

function startWith(ask: () => Promise<PollOutcome>) {
  return renderHook(() => usePoll({ active: true, ask }))
}

it('asks one question at a time, also when the tab comes back during one', async () => {
  let open = 0
  let most = 0
  let asked = 0
  startWith(async () => {
    asked += 1
    open += 1
    most = Math.max(most, open)
    await new Promise((resolve) => setTimeout(resolve, 500))
    open -= 1
    return 'unchanged'
  })
  await vi.advanceTimersByTimeAsync(1_200)
  for (let i = 0; i < 3; i += 1) document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(20_000)
  // 1, 3.5, 8 and 16.5 s: a single ladder, started over by the return.
  expect([most, asked]).toEqual([1, 4])
})

it('waits for as long as the server says', async () => {
  const asked: number[] = []
  const began = Date.now()
  startWith(async () => {
    asked.push((Date.now() - began) / 1000)
    throw new ApiError(503, [], [], null, 20_000)
  })
  await vi.advanceTimersByTimeAsync(50_000)
  expect(asked).toEqual([1, 21, 41])
})

it('takes no for an answer', async () => {
  let asked = 0
  startWith(async () => {
    asked += 1
    throw new ApiError(404, [], [], null, 0)
  })
  await vi.advanceTimersByTimeAsync(300_000)
  expect(asked).toBe(1)
})
