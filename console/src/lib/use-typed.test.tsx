// @vitest-environment jsdom
// A field that commits by itself: what it sent comes back without touching the typing, what others change wins.
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useTyped } from './use-typed'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const amount = (text: string) => (text === '' ? '' : /^\d+(,\d{1,2})?$/.test(text) ? `${Number(text.replace(',', '.')).toFixed(2).replace('.', ',')}` : null)

function start(read?: (text: string) => string | null) {
  const sent: string[] = []
  const hook = renderHook(({ committed }) => useTyped(committed, (value) => sent.push(value), read), { initialProps: { committed: '' } })
  const field = () => hook.result.current.field
  return {
    sent,
    field,
    bad: () => hook.result.current.bad,
    type: (value: string) => act(() => field().onChange({ target: { value } })),
    pause: () => act(() => vi.advanceTimersByTime(600)),
    blur: () => act(() => field().onBlur()),
    comeBack: (committed: string) => hook.rerender({ committed }),
  }
}

it('commits once, a moment after the last key', () => {
  const { sent, type, pause } = start()
  type('a')
  type('ab ')
  pause()
  pause()
  expect(sent).toEqual(['ab'])
})

it('leaves the text under the caret as typed and writes it out on leaving', () => {
  const { sent, field, type, pause, blur, comeBack } = start(amount)
  type('1')
  pause()
  comeBack('1,00')
  expect(field().value).toBe('1')
  type('100')
  pause()
  comeBack('100,00')
  expect(field().value).toBe('100')
  blur()
  expect(field().value).toBe('100,00')
  expect(sent).toEqual(['1', '100'])
})

it('keeps the letters typed while its own commit is under way', () => {
  const { sent, field, type, pause, comeBack } = start()
  type('ta')
  pause()
  type('tam')
  comeBack('ta')
  expect(field().value).toBe('tam')
  pause()
  expect(sent).toEqual(['ta', 'tam'])
})

it('knows its own commit when only the later of two comes back', () => {
  const { field, type, pause, comeBack } = start()
  type('a')
  pause()
  type('ab')
  pause()
  comeBack('ab')
  expect(field().value).toBe('ab')
  comeBack('a')
  expect(field().value).toBe('a')
})

it('yields to a removed chip, its complaint and what it was about to send included', () => {
  const { sent, field, bad, type, pause, comeBack } = start(amount)
  type('5')
  pause()
  comeBack('5,00')
  type('5x')
  pause()
  expect(bad()).toBe(true)
  type('57')
  comeBack('')
  expect([field().value, bad()]).toEqual(['', false])
  pause()
  expect(sent).toEqual(['5'])
})
