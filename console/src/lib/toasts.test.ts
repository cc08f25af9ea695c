// @vitest-environment jsdom
// How long a short message stays.
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toasts, useToasts } from './toasts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.runAllTimers()
  vi.useRealTimers()
})

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))

describe('a message', () => {
  it('that tells of success or news stays 3 s, an error 6 s, one to take back 10 s', () => {
    const { result } = renderHook(useToasts)
    act(() => {
      toasts.success('tehtud')
      toasts.info('teadmiseks')
      toasts.error('viga')
      toasts.undoable('muudetud', () => undefined)
    })
    const shown = () => result.current.map((entry) => entry.message)
    wait(2_999)
    expect(shown()).toEqual(['tehtud', 'teadmiseks', 'viga', 'muudetud'])
    wait(1)
    expect(shown()).toEqual(['viga', 'muudetud'])
    wait(3_000)
    expect(shown()).toEqual(['muudetud'])
    wait(4_000)
    expect(shown()).toEqual([])
  })
  it('said again stands once and begins its time anew', () => {
    const { result } = renderHook(useToasts)
    act(() => toasts.error('viga'))
    wait(5_000)
    act(() => toasts.error('viga'))
    expect(result.current).toHaveLength(1)
    wait(5_000)
    expect(result.current).toHaveLength(1)
    wait(1_000)
    expect(result.current).toHaveLength(0)
  })
})
