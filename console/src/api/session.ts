// Who is signed in: the bearer token in memory, never in storage; the session itself lives in a cookie that only /auth/verify reads.
import { useSyncExternalStore } from 'react'
import type { Login } from './types'

declare global {
  interface Window {
    /** Asked by start.js while the program was still being read; taken once. */
    toimikVerify?: Promise<Response>
  }
}

export type Session = { userId: number; token: string; tenantId: number | null; roleId: number | null }

let session: Session | null = null
let verifying: Promise<Session | null> | null = null
let asked = false
const listeners = new Set<() => void>()
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('toimik')

function set(next: Session | null): void {
  session = next
  for (const listener of listeners) listener()
}

export function currentSession(): Session | null {
  return session
}

export function useSession(): Session | null {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentSession)
}

/** Takes what sign-in, verify or role-select answered. */
export function adopt(login: Login): Session {
  const next = { userId: login.id, token: login.token, tenantId: login.tenant_id ?? null, roleId: login.role?.id ?? null }
  asked = true
  set(next)
  return next
}

/** A response rotated the token. */
export function replaceToken(token: string): void {
  if (session) set({ ...session, token })
}

/** Takes the session of another role and tells the other tabs to start over with it. */
export function choose(login: Login): void {
  adopt(login)
  channel?.postMessage('role')
}

/** Forgets the person in this tab; the other tabs are told unless they began it. */
export function leave(tell = true): void {
  asked = true
  set(null)
  if (tell) channel?.postMessage('leave')
}

/** Asks the cookie who this is; parallel callers share one question. */
export function verify(): Promise<Session | null> {
  verifying ??= ask().finally(() => {
    verifying = null
  })
  return verifying
}

async function ask(): Promise<Session | null> {
  let answer: Response
  const early = window.toimikVerify
  delete window.toimikVerify
  try {
    answer = await (early ?? fetch('/api/auth/verify', { method: 'POST', credentials: 'same-origin', headers: { Accept: 'application/json' } }))
  } catch {
    return session
  }
  // Overloaded or broken, the server says nothing of the session.
  if (answer.status >= 500 || answer.status === 429) return session
  if (!answer.ok) return null
  return adopt((await answer.json()) as Login)
}

/** The session at start-up: from memory, or once from the cookie. */
export async function ready(): Promise<Session | null> {
  if (session || asked) return session
  await verify()
  asked = true
  return session
}

channel?.addEventListener('message', () => location.reload())
