// The mail as its reader sees it, in a frame of its own in which nothing runs.
import { useCallback, useEffect, useRef } from 'react'
import { fillWith, styleOf } from './safe'

const EMPTY = '<!doctype html><html><head><meta charset="utf-8"><title></title></head><body></body></html>'

/** Without `allow-scripts` no script runs, whatever comes; the same origin lets this page write the mail into it. */
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'

export function MailFrame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const show = useCallback(() => {
    const made = frame.current?.contentDocument
    const inside = frame.current?.contentWindow as (Window & typeof globalThis) | null | undefined
    if (!frame.current || !made?.body || !inside) return
    fillWith(html, made)
    const sheet = new inside.CSSStyleSheet()
    sheet.replaceSync(styleOf(html))
    made.adoptedStyleSheets = [sheet]
    frame.current.style.height = `${Math.max(200, made.documentElement.scrollHeight)}px`
  }, [html])
  useEffect(show, [show])
  return <iframe ref={frame} title={title} sandbox={SANDBOX} srcDoc={EMPTY} onLoad={show} className="block min-h-50 w-full border-0 bg-white" />
}
