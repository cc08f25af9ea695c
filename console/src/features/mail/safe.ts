// A mail's HTML in another document: cleaned of all that acts, its styles set by the object model, which the site's policy
// allows while it forbids style attributes and elements.
import DOMPurify from 'dompurify'

const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi
const STYLE = /<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi

/** Styles under a name of ours: the policy complains of each already when it is parsed. What this overlooks is not shown. */
function setAside(html: string): string {
  return html.replace(STYLE, '').replace(TAG, (tag) => tag.replace(/(\s)style(?=\s*=)/gi, '$1data-style'))
}

const ACTS = ['style', 'form', 'input', 'button', 'select', 'textarea', 'svg', 'math', 'audio', 'video']

/** Puts the mail into the document, in place of what was there. */
export function fillWith(html: string, made: Document): void {
  const clean = DOMPurify.sanitize(setAside(html), { WHOLE_DOCUMENT: true, RETURN_DOM: true, FORBID_TAGS: ACTS, FORBID_ATTR: ['style', 'id', 'name', 'background', 'srcset'] })
  made.replaceChild(made.adoptNode(clean), made.documentElement)
  for (const one of made.querySelectorAll<HTMLElement>('[data-style]')) {
    one.style.cssText = one.dataset.style ?? ''
    one.removeAttribute('data-style')
  }
  // Its links open beside, and no picture is fetched: who reads is nobody's business.
  for (const link of made.querySelectorAll('a[href]')) {
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
  }
  for (const picture of made.querySelectorAll('[src]:not([src^="data:image/"])')) picture.removeAttribute('src')
}

/** What the mail's style elements say. */
export function styleOf(html: string): string {
  return [...html.matchAll(STYLE)].map(([, css]) => css).join('\n')
}

/** Gives the document that style sheet; it has to be made by the document's own window. */
export function dress(made: Document, css: string): void {
  const own = made.defaultView as (Window & typeof globalThis) | null
  if (!own) return
  const sheet = new own.CSSStyleSheet()
  sheet.replaceSync(css)
  made.adoptedStyleSheets = [sheet]
}
