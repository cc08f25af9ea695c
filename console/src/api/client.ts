// Every call to the API: bearer, rotation of the token, a second try after a lost token, ETags, and errors in one shape.
import { toasts } from '@/lib/toasts'
import { text } from '@/lib/texts'
import { ApiError, readError } from './errors'
import { currentSession, leave, replaceToken, verify } from './session'
import { traceparent } from './trace'

const signInAgain = text('Palun logige uuesti sisse', 'Please sign in again')

type Value = string | number | boolean | null | undefined
/** A list is sent as one pair for each of its values. */
export type Query = Record<string, Value | ReadonlyArray<string | number>>
export type CallOptions = {
  query?: Query
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Remember the answer by its ETag, so that asking again costs a 304. */
  polled?: boolean
}

type Kept = { etag: string; body: unknown }
const kept = new Map<string, Kept>()
const KEPT_AT_MOST = 50

/** An answer and when its data was read: its arrival less the `Age` that the server gives shared counts. */
export type Dated<T> = { at: number; body: T }

let toSignIn: () => void = () => location.assign('/signin')
let rotatedToken: () => void = () => {}

/** Tells the client how to reach the sign-in page. */
export function onSignedOut(go: () => void): void {
  toSignIn = go
}

/** Tells the client what to do when an answer rotated the token. */
export function onRotated(act: () => void): void {
  rotatedToken = act
}

/** Forgets answers that belonged to another person or role. */
export function forgetAnswers(): void {
  kept.clear()
}

export function address(path: string, query: Query = {}): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one != null) params.append(key, String(one))
  }
  const tail = params.toString()
  return `/api${path}${tail ? `?${tail}` : ''}`
}

/** The session is over: says so once and goes to the sign-in page. */
export function signedOut(): void {
  if (currentSession()) toasts.error(signInAgain())
  leave(false)
  kept.clear()
  toSignIn()
}

async function send(method: string, url: string, options: CallOptions): Promise<Response> {
  const headers = new Headers({ Accept: 'application/ld+json, application/json', ...options.headers })
  const token = currentSession()?.token
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (method !== 'GET') headers.set('traceparent', traceparent())
  let body: BodyInit | undefined
  if (options.body !== undefined) {
    body = JSON.stringify(options.body)
    headers.set('Content-Type', 'application/json')
  }
  const before = options.polled ? kept.get(url) : undefined
  if (before) headers.set('If-None-Match', before.etag)
  try {
    return await fetch(url, { method, headers, body: body ?? null, credentials: 'same-origin', signal: options.signal ?? null })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiError(0, [], [], null, 0)
  }
}

/** Sends a call and returns the bare answer; a refusal is thrown as ApiError. */
export async function raw(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const url = address(path, options.query)
  let answer = await send(method, url, options)
  // Signing in and out answers 401 for reasons of its own; no session is lost by it.
  if (answer.status === 401 && path !== '/auth/login' && path !== '/auth/logout') {
    // The short-lived token may have run out while the session in the cookie still holds.
    const before = currentSession()
    const verified = await verify()
    // The server could not say whether the session holds: nobody is signed out for that.
    if (verified !== null && verified === before) throw new ApiError(0, [], [], null, 0)
    answer = verified ? await send(method, url, options) : answer
    if (answer.status === 401) {
      signedOut()
      throw readError(401, null, answer.headers)
    }
  }
  const rotated = answer.headers.get('refresh-token')
  if (rotated) {
    replaceToken(rotated)
    rotatedToken()
  }
  if (!answer.ok && answer.status !== 304) {
    throw readError(answer.status, await answer.json().catch(() => null), answer.headers)
  }
  return answer
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

async function read<T>(url: string, answer: Response, options: CallOptions): Promise<T> {
  if (answer.status === 304) {
    const before = kept.get(url)
    if (before) return before.body as T
  }
  if (answer.status === 204) return undefined as T
  const body = (await answer.json()) as T
  const etag = answer.headers.get('etag')
  if (options.polled && etag) {
    kept.delete(url)
    if (kept.size >= KEPT_AT_MOST) kept.delete(kept.keys().next().value ?? '')
    kept.set(url, { etag, body })
  }
  return body
}

/** Sends a call and reads its JSON. */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  return read(address(path, options.query), await raw(method, path, options), options)
}

/** A polled answer with its time; one that is not changed is as old as the server now says. */
export async function getDated<T>(path: string, options: CallOptions = {}): Promise<Dated<T>> {
  const polled = { ...options, polled: true }
  const answer = await raw('GET', path, polled)
  const at = Date.now() - Math.max(0, Number(answer.headers.get('age')) || 0) * 1000
  return { at, body: await read(address(path, options.query), answer, polled) }
}

export const get = <T>(path: string, options?: CallOptions) => call<T>('GET', path, options)
export const post = <T>(path: string, body?: unknown, options?: CallOptions) => call<T>('POST', path, { ...options, body })
export const remove = (path: string) => call<void>('DELETE', path)
export const put = <T>(path: string, body?: unknown, options?: CallOptions) => call<T>('PUT', path, { ...options, body: body ?? {} })
