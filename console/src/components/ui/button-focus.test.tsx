// @vitest-environment jsdom
// The focus is not lost with the button that was pressed.
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { Button } from './button'

function page(button: { disabled?: boolean } | null) {
  return <><h1 id="title" tabIndex={-1}>Leht</h1>{button ? <Button {...button}>Korda</Button> : null}</>
}
const frame = () => new Promise((done) => requestAnimationFrame(done))

afterEach(cleanup)

describe('a button', () => {
  it('that was disabled for the moment gets the focus back', () => {
    const { getByRole, rerender } = render(page({}))
    getByRole('button').focus()
    rerender(page({ disabled: true }))
    ;(document.activeElement as HTMLElement).blur()
    rerender(page({}))
    expect(document.activeElement).toBe(getByRole('button'))
  })
  it('does not take it from where somebody went meanwhile', () => {
    const { getByRole, rerender } = render(page({}))
    getByRole('button').focus()
    rerender(page({ disabled: true }))
    getByRole('heading').focus()
    rerender(page({}))
    expect(document.activeElement).toBe(getByRole('heading'))
  })
  it('that goes hands it on to the heading, also from a moment of being disabled', async () => {
    for (const disabled of [false, true]) {
      const { getByRole, rerender, unmount } = render(page({}))
      getByRole('button').focus()
      if (disabled) {
        rerender(page({ disabled }))
        ;(document.activeElement as HTMLElement).blur()
      }
      rerender(page(null))
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await frame()
      expect(document.activeElement).toBe(getByRole('heading'))
      unmount()
    }
  })
})
