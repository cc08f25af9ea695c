// @vitest-environment jsdom
// The catalogue's function and plural forms.
import { afterEach, describe, expect, it } from 'vitest'
import { plural, setLanguage, text } from './texts'

const rows = text((n: number) => `${n} ${plural('et', n, 'uus rida', 'uut rida')}`, (n) => `${n} ${plural('en', n, 'new row', 'new rows')}`)

describe('texts', () => {
  afterEach(() => setLanguage('et'))
  it('speaks Estonian first and English when asked', () => {
    const hello = text('Tere', 'Hello')
    expect(hello()).toBe('Tere')
    setLanguage('en')
    expect(hello()).toBe('Hello')
  })
  it.each([[1, '1 uus rida'], [0, '0 uut rida'], [2, '2 uut rida'], [101, '101 uut rida']])('%d: %s', (n, shown) => {
    expect(rows(n)).toBe(shown)
  })
})
