// The mail as its reader sees it, in a frame of its own in which nothing runs.
import { useCallback, useEffect, useRef } from 'react'
import { dress, fillWith, styleOf } from './safe'

const EMPTY = '<!doctype html><html><head><title></title></head><body></body></html>'

/** Without `allow-scripts` no script runs, whatever comes; the same origin lets this page write the mail into it. */
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'

const LEAST_PX = 200

export function MailFrame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const fit = useCallback(() => {
    const made = frame.current?.contentDocument
    if (!frame.current || !made?.body) return
    // From small to as tall as it needs: a frame is never told to be smaller than its content.
    frame.current.style.height = `${LEAST_PX}px`
    frame.current.style.height = `${Math.max(LEAST_PX, made.documentElement.scrollHeight)}px`
  }, [])
  const show = useCallback(() => {
    const made = frame.current?.contentDocument
    if (!made?.body) return
    fillWith(html, made)
    dress(made, styleOf(html))
    fit()
  }, [html, fit])
  useEffect(show, [show])
  useEffect(() => {
    addEventListener('resize', fit)
    return () => removeEventListener('resize', fit)
  }, [fit])
  return <iframe ref={frame} title={title} sandbox={SANDBOX} srcDoc={EMPTY} onLoad={show} className="block w-full border-0 bg-white" />
}
