// @vitest-environment jsdom
// One act is one trace; the next click or key begins another.
import { expect, it } from 'vitest'
import { traceparent } from './trace'

it('stays the same until the person acts again', () => {
  const first = traceparent()
  expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(traceparent()).toBe(first)
  dispatchEvent(new Event('pointerdown'))
  const second = traceparent()
  expect(second).not.toBe(first)
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  expect(traceparent()).not.toBe(second)
})
