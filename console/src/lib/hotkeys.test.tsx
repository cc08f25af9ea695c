// @vitest-environment jsdom
// Commands by key: where they hold, where they don't, and pairs.
import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { isPaletteKey, useHotkeys } from './hotkeys'

afterEach(cleanup)

let heard: string[] = []
function Keys({ names }: { names: string[] }) {
  useHotkeys(Object.fromEntries(names.map((name) => [name, () => heard.push(name)])))
  return null
}
function press(...keys: string[]): string[] {
  heard = []
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key })
  return heard
}

describe('single keys', () => {
  it('act anywhere but in a field, a dialog or a menu, and never with Ctrl', () => {
    render(<><Keys names={['j', '/']} /><input aria-label="field" /><input type="checkbox" /></>)
    const dialog = document.body.appendChild(document.createElement('div'))
    dialog.dataset.slot = 'dialog'
    expect(press('j')).toEqual([])
    dialog.remove()
    expect(press('j', '/', 'q')).toEqual(['j', '/'])
    document.querySelector('input')?.focus()
    expect(press('j')).toEqual([])
    document.querySelector<HTMLInputElement>('[type="checkbox"]')?.focus()
    expect(press('j')).toEqual(['j'])
    heard = []
    fireEvent.keyDown(document.body, { key: 'j', ctrlKey: true })
    expect(heard).toEqual([])
  })
  it('leave Enter to the link or button that has the focus', () => {
    render(<><Keys names={['Enter']} /><button type="button">Ava</button></>)
    expect(press('Enter')).toEqual(['Enter'])
    document.querySelector('button')?.focus()
    expect(press('Enter')).toEqual([])
  })
})

describe('pairs of keys', () => {
  it('take the second key from the single command of the same letter', () => {
    render(<><Keys names={['j']} /><Keys names={['g j', 'g t']} /></>)
    expect(press('g', 'j', 'j')).toEqual(['g j', 'j'])
    expect(press('g', 'Shift', 't')).toEqual(['g t'])
    expect(press('g', 'q', 'j')).toEqual(['j'])
    expect(press('g', 'g', 't')).toEqual([])
  })
  it('forget the first key after a while', () => {
    render(<Keys names={['j', 'g j']} />)
    heard = []
    const at = (key: string, timeStamp: number) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true })
      Object.defineProperty(event, 'timeStamp', { value: timeStamp })
      document.body.dispatchEvent(event)
    }
    at('g', 1_000)
    at('j', 2_600)
    at('g', 3_000)
    at('j', 4_000)
    expect(heard).toEqual(['j', 'g j'])
  })
})

it('the palette opens by Ctrl+K or ⌘K alone', () => {
  const key = (init: KeyboardEventInit) => isPaletteKey(new KeyboardEvent('keydown', init))
  expect([key({ key: 'k', ctrlKey: true }), key({ key: 'K', metaKey: true }), key({ key: 'k' }), key({ key: 'k', ctrlKey: true, shiftKey: true })]).toEqual([true, true, false, false])
})
