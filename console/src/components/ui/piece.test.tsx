// @vitest-environment jsdom
// A lost piece of the program leaves the page as it is.
import { cleanup, render, screen } from '@testing-library/react'
import { lazy } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Piece } from './piece'
import { Toaster } from './toaster'

afterEach(cleanup)

describe('a piece that cannot be fetched', () => {
  it('is told in a message, and the page stays', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const Lost = lazy(() => Promise.reject<{ default: () => null }>(new TypeError('Failed to fetch dynamically imported module: x.js')))
    let lost = 0
    render(<><p>leht</p><Piece onLost={() => lost++}><Lost /></Piece><Toaster /></>)
    expect((await screen.findByRole('alert')).textContent).toContain('Rakenduse osa laadimine ebaõnnestus. Laadi leht uuesti.')
    expect(screen.getByText('leht')).toBeTruthy()
    expect(lost).toBe(1)
  })
})
