// Tells the server of the program's own errors: rarely, briefly, and without what could name a person.
import { currentSession } from './session'

const MINUTE_MS = 60_000
const A_MINUTE = 10
const MESSAGE = 500
const STACK = 4_000

/** Long numbers (codes, accounts), e-mail addresses and what follows a "?" are left out. */
export function cleaned(text: string): string {
  return text.replace(/[\w.+-]+@[\w-]+\.[\w.-]+/g, '…').replace(/\?[^\s:)]*/g, '').replace(/\d{6,}/g, '…')
}

/** Ten a minute, and the same message once a minute. */
export function createLimit() {
  let sent: Array<{ message: string; at: number }> = []
  return (message: string, now: number): boolean => {
    sent = sent.filter((one) => now - one.at < MINUTE_MS)
    if (sent.length >= A_MINUTE || sent.some((one) => one.message === message)) return false
    sent.push({ message, at: now })
    return true
  }
}

const may = createLimit()

function send(error: unknown): void {
  const token = currentSession()?.token
  const { name = '', message = String(error), stack }: Partial<Error> = typeof error === 'object' && error !== null ? error : {}
  // What the server refused it knows itself, and an interrupted question is no error.
  if (!token || name === 'ApiError' || name === 'AbortError') return
  const said = cleaned(name && name !== 'Error' ? `${name}: ${message}` : message).slice(0, MESSAGE)
  if (!said || !may(said, Date.now())) return
  fetch('/api/error-log', {
    method: 'POST',
    keepalive: true,
    credentials: 'same-origin',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ message: said, path: location.pathname.slice(0, 200), ...(stack ? { stack: cleaned(stack).slice(0, STACK) } : {}) }),
  }).catch(() => undefined)
}

export function told(event: Event): void {
  send(event instanceof PromiseRejectionEvent ? event.reason : ((event as ErrorEvent).error ?? (event as ErrorEvent).message))
}

/** Listens from now on; `early` is what came before this was loaded. */
export function watch(early: Event[]): void {
  addEventListener('error', told)
  addEventListener('unhandledrejection', told)
  for (const event of early) told(event)
}
