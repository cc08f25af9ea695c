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
    expect([made.documentElement.lang, made.body.className, made.body.style.margin]).toEqual(['en', 'canvas', '0px'])
    expect(made.querySelector('table')?.getAttribute('role')).toBe('presentation')
    expect(made.querySelector('td')?.outerHTML).toBe('<td align="center" style="padding: 24px;">Tere &amp; <b>head</b></td>')
  })
  it('has its styles whatever stands in other attributes', () => {
    const { title, style } = filled(`<p title="a > b" STYLE='color: red;'>x</p>`).body.firstElementChild as HTMLElement
    expect([title, style.color]).toEqual(['a > b', 'red'])
    expect(body('<p style>x</p>')).toBe('<p>x</p>')
  })
  it('opens its links beside, and none that runs', () => {
    const link = filled('<a href="https://toimik.example.ee/jobs">Ava</a>').querySelector('a')
    expect([link?.href, link?.target, link?.rel]).toEqual(['https://toimik.example.ee/jobs', '_blank', 'noopener noreferrer'])
    expect(body('<a href="/mail_preferences">Muuda</a>')).toContain('href="/mail_preferences"')
    for (const bad of ['javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x']) expect(body(`<a href="${bad}">x</a>`)).not.toContain('href')
  })
  it.each([
    '<script>alert(1)</script>', '<img src="x" onerror="alert(1)">', '<svg><script>alert(1)</script></svg>', '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<form action="https://evil.example"><input name="a"></form>', '<p onclick="alert(1)">x</p>', '<object data="x"></object>', '<base href="https://evil.example/">', '<meta http-equiv="refresh" content="0">',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>', '<link rel="stylesheet" href="https://evil.example/a.css">',
  ])('leaves out what acts: %s', (html) => {
    expect(filled(html).documentElement.outerHTML).not.toMatch(/script|on\w+=|src=|action|iframe|object|<base|meta|evil/i)
  })
  it('shows pictures that it carries itself, and fetches none', () => {
    expect(body('<img src="data:image/png;base64,AA" alt="p">')).toContain('src="data:image/png;base64,AA"')
    expect(body('<img src="https://track.example/a.png" srcset="https://track.example/b.png 2x" alt="p">')).not.toContain('track')
    expect(body('<table background="https://track.example/a.png"><tr><td>x</td></tr></table>')).not.toContain('track')
  })
  it('has its style elements taken out', () => {
    expect(styleOf('<style>.a { color: red }</style><p>x</p><style>.b { color: blue }</style>')).toBe('.a { color: red }\n.b { color: blue }')
    expect(body('<style>.a { color: red }</style><p>x</p>')).toBe('<p>x</p>')
  })
})
