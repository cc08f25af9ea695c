// A mail's HTML as nodes of another document: known elements and attributes only, styles set by the object model, which the
// site's policy allows while it forbids style attributes and elements.

const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi
const STYLE = /<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi

/** Styles under a name of ours: the policy complains of each already when it is parsed. What this overlooks is not shown. */
function setAside(html: string): Document {
  const quiet = html.replace(STYLE, '').replace(TAG, (tag) => tag.replace(/(\s)style(?=\s*=)/gi, '$1data-style'))
  return new DOMParser().parseFromString(quiet, 'text/html')
}

const ELEMENTS: ReadonlySet<string> = new Set([
  'A', 'B', 'BLOCKQUOTE', 'BR', 'CAPTION', 'CENTER', 'CODE', 'DIV', 'EM', 'H1', 'H2', 'H3', 'H4', 'HR', 'I', 'IMG', 'LI', 'OL', 'P', 'PRE', 'S', 'SMALL', 'SPAN',
  'STRONG', 'SUB', 'SUP', 'TABLE', 'TBODY', 'TD', 'TFOOT', 'TH', 'THEAD', 'TR', 'U', 'UL',
])
/** These go with all that is in them; of others only the frame goes. */
const GONE: ReadonlySet<string> = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'EMBED', 'SVG', 'MATH', 'NOSCRIPT', 'TITLE', 'HEAD', 'META', 'LINK', 'BASE', 'FORM', 'INPUT', 'BUTTON', 'SELECT', 'TEXTAREA'])
const ATTRIBUTES: ReadonlySet<string> = new Set(['align', 'alt', 'aria-hidden', 'bgcolor', 'border', 'cellpadding', 'cellspacing', 'class', 'colspan', 'dir', 'height', 'lang', 'role', 'rowspan', 'scope', 'title', 'valign', 'width'])

function fit(from: Element, to: HTMLElement): void {
  for (const { name, value } of from.attributes) if (ATTRIBUTES.has(name)) to.setAttribute(name, value)
  const style = from.getAttribute('data-style')
  if (style) to.style.cssText = style
  const href = from.getAttribute('href')
  if (to.tagName === 'A' && href && /^(https?:|mailto:|\/(?!\/))/i.test(href)) {
    to.setAttribute('href', href)
    to.setAttribute('target', '_blank')
    to.setAttribute('rel', 'noopener noreferrer')
  }
  const src = from.getAttribute('src')
  if (to.tagName === 'IMG' && src && /^data:image\/(png|jpeg|gif);/i.test(src)) to.setAttribute('src', src)
}

function copy(from: Node, into: Node, made: Document): void {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) into.appendChild(made.createTextNode(node.textContent ?? ''))
    if (node.nodeType !== Node.ELEMENT_NODE) continue
    const element = node as Element
    const tag = element.tagName.toUpperCase()
    if (GONE.has(tag)) continue
    if (!ELEMENTS.has(tag)) {
      copy(element, into, made)
      continue
    }
    const one = made.createElement(tag)
    fit(element, one)
    into.appendChild(one)
    copy(element, one, made)
  }
}

/** Puts the mail into an empty document, in place of what was there. */
export function fillWith(html: string, made: Document): void {
  const mail = setAside(html)
  made.documentElement.lang = mail.documentElement.lang || 'et'
  made.title = mail.title
  made.body.replaceChildren()
  for (const { name, value } of mail.body.attributes) if (ATTRIBUTES.has(name)) made.body.setAttribute(name, value)
  made.body.style.cssText = mail.body.getAttribute('data-style') ?? ''
  copy(mail.body, made.body, made)
}

/** What the mail's style elements say. */
export function styleOf(html: string): string {
  return [...html.matchAll(STYLE)].map(([, css]) => css).join('\n')
}
