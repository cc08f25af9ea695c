// @vitest-environment jsdom
// A dialog whose opener is gone hands the focus to what stands in for it.
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useHandBack } from '@/lib/hand-on'

function Open({ standIn }: { standIn?: string }) {
  useHandBack(standIn)
  return null
}

beforeEach(() => { vi.stubGlobal('requestAnimationFrame', (act: () => void) => act()) })
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function leave(standIn: string | undefined, there: boolean, kept = false): string {
  const page = (open: boolean) => (
    <>
      <h1 id="title" tabIndex={-1}>Leht</h1>
      <button type="button" id="other">Muu</button>
      {there ? <button type="button" id="back">Lülita sisse</button> : null}
      {open ? <Open {...(standIn ? { standIn } : {})} /> : null}
    </>
  )
  const { rerender } = render(page(true))
  if (kept) document.getElementById('other')?.focus()
  rerender(page(false))
  return document.activeElement?.id ?? ''
}

it('to its stand-in, to the heading without one, and nowhere where it has been taken', () => {
  expect(leave('back', true)).toBe('back')
  cleanup()
  expect(leave('back', false)).toBe('title')
  cleanup()
  expect(leave(undefined, true)).toBe('title')
  cleanup()
  expect(leave('back', true, true)).toBe('other')
})
