// @vitest-environment jsdom
// Nothing of a mail runs, and what it looks like stays.
import { describe, expect, it } from 'vitest'
import { fillWith, styleOf } from './safe'

function filled(html: string): Document {
  const made = document.implementation.createHTMLDocument('')
  fillWith(html, made)
  return made
}
const body = (html: string) => filled(html).body.innerHTML

describe('a mail', () => {
  it('keeps its tables, words and styles', () => {
    const made = filled('<!doctype html><html lang="en"><head><title>Tere</title></head><body class="canvas" style="margin: 0px;"><table role="presentation" width="100%"><tbody><tr><td align="center" style="padding: 24px;">Tere &amp; <b>head</b></td></tr></tbody></table></body></html>')
    expect([made.documentElement.lang, made.title, made.body.className, made.body.style.margin]).toEqual(['en', 'Tere', 'canvas', '0px'])
    expect(made.body.innerHTML).toBe('<table role="presentation" width="100%"><tbody><tr><td align="center" style="padding: 24px;">Tere &amp; <b>head</b></td></tr></tbody></table>')
  })
  it('has its styles whatever stands in other attributes', () => {
    const { title, style } = filled(`<p title="a > b" STYLE='color: red;'>x</p>`).body.firstElementChild as HTMLElement
    expect([title, style.color]).toEqual(['a > b', 'red'])
    expect(body('<p style>x</p>')).toBe('<p>x</p>')
  })
  it('opens its links beside, and only to addresses', () => {
    expect(body('<a href="https://toimik.example.ee/jobs">Ava</a>')).toContain('href="https://toimik.example.ee/jobs" target="_blank" rel="noopener noreferrer"')
    expect(body('<a href="/mail_preferences">Muuda</a>')).toContain('href="/mail_preferences"')
    for (const bad of ['javascript:alert(1)', 'java\nscript:alert(1)', '//evil.example', 'data:text/html,x', 'vbscript:x']) expect(body(`<a href="${bad}">x</a>`)).not.toContain('href')
  })
  it.each([
    '<script>alert(1)</script>', '<img src="x" onerror="alert(1)">', '<svg><script>alert(1)</script></svg>', '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<form action="https://evil.example"><input name="a"></form>', '<p onclick="alert(1)">x</p>', '<object data="x"></object>', '<base href="https://evil.example/">', '<meta http-equiv="refresh" content="0">',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
  ])('leaves out what acts: %s', (html) => {
    expect(body(html)).not.toMatch(/script|on\w+=|src=|action|iframe|object|base|meta|evil/i)
  })
  it('keeps the words of an element that is not known', () => {
    expect(body('<section><p>Sees</p></section><blink>Vilgub</blink>')).toBe('<p>Sees</p>Vilgub')
  })
  it('shows pictures that it carries itself, and fetches none', () => {
    expect(body('<img src="data:image/png;base64,AA" alt="p">')).toContain('src="data:image/png;base64,AA"')
    expect(body('<img src="https://track.example/a.png" alt="p">')).toBe('<img alt="p">')
  })
  it('has its style elements taken out', () => {
    expect(styleOf('<style>.a { color: red }</style><p>x</p><style>.b { color: blue }</style>')).toBe('.a { color: red }\n.b { color: blue }')
    expect(body('<style>.a { color: red }</style><p>x</p>')).toBe('<p>x</p>')
  })
})
