// @vitest-environment jsdom
// A closed button says why, to the eye too, and does nothing.
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { Button } from './button'

afterEach(cleanup)
const tip = () => document.querySelector('[data-slot="tip"]')?.textContent ?? null

describe('a button with a reason', () => {
  it('shows it on focus and on hover, until it is left or Escape is pressed', () => {
    render(<Button reason="juba katkestatud">Katkesta</Button>)
    const button = screen.getByRole('button', { name: 'Katkesta' })
    expect(tip()).toBeNull()
    fireEvent.focus(button)
    expect(tip()).toBe('juba katkestatud')
    fireEvent.keyDown(button, { key: 'Escape' })
    expect(tip()).toBeNull()
    fireEvent.mouseEnter(button)
    expect(tip()).toBe('juba katkestatud')
    fireEvent.mouseLeave(button)
    expect(tip()).toBeNull()
  })
  it.each(['', 'ei saa'])('is closed by the reason %j', (reason) => {
    let clicks = 0
    render(<Button reason={reason} onClick={() => clicks++}>Tee</Button>)
    const button = screen.getByRole('button')
    fireEvent.click(button)
    expect([clicks, button.getAttribute('aria-disabled')]).toEqual([0, 'true'])
  })
})

describe('a double click', () => {
  it('is one click, but for a button that is pressed again and again', () => {
    let [once, each] = [0, 0]
    render(<><Button onClick={() => once++}>Käivita</Button><Button repeats onClick={() => each++}>Rohkem</Button></>)
    for (const name of ['Käivita', 'Rohkem']) {
      const button = screen.getByRole('button', { name })
      for (const detail of [1, 2]) fireEvent.click(button, { detail })
    }
    fireEvent.click(screen.getByRole('button', { name: 'Käivita' }), { detail: 0 }) // by the keyboard
    expect([once, each]).toEqual([2, 2])
  })
})
