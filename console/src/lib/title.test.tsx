// @vitest-environment jsdom
// The title follows the page on screen.
import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { usePageTitle } from './title'

it('is set and changed with the page’s name', () => {
  const { rerender } = renderHook(({ name }) => usePageTitle(name), { initialProps: { name: 'Toimikud' } })
  expect(document.title).toBe('Toimikud · Toimik')
  rerender({ name: 'Cases' })
  expect(document.title).toBe('Cases · Toimik')
})
