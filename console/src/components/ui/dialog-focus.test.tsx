// @vitest-environment jsdom
// A dialog whose opener is gone hands the focus to the heading.
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useHandBack } from '@/lib/hand-on'

function Open() {
  useHandBack()
  return null
}

beforeEach(() => { vi.stubGlobal('requestAnimationFrame', (act: () => void) => act()) })
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function leave(kept: boolean): string {
  const page = (open: boolean) => (
    <>
      <h1 id="title" tabIndex={-1}>Leht</h1>
      <button type="button" id="other">Muu</button>
      {open ? <Open /> : null}
    </>
  )
  const { rerender } = render(page(true))
  if (kept) document.getElementById('other')?.focus()
  rerender(page(false))
  return document.activeElement?.id ?? ''
}

it('to the heading, and nowhere where it has been taken', () => {
  expect(leave(false)).toBe('title')
  cleanup()
  expect(leave(true)).toBe('other')
})
