// Sends a file with upload progress, which fetch cannot report.
import { signedOut } from './client'
import { ApiError, readError } from './errors'
import { currentSession, replaceToken, verify } from './session'
import { traceparent } from './trace'

/** How long an upload may stand still before it is given up. */
const SILENCE_MS = 30_000

function once(path: string, form: FormData, headers: Record<string, string>, onPercent: (percent: number) => void, signal?: AbortSignal): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    let timer = 0
    const watch = () => {
      clearTimeout(timer)
      timer = window.setTimeout(() => request.abort(), SILENCE_MS)
    }
    const lost = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      reject(signal?.aborted ? signal.reason : new ApiError(0, [], [], null, 0))
    }
    request.open('POST', `/api${path}`)
    request.responseType = 'json'
    request.setRequestHeader('Accept', 'application/json')
    const token = currentSession()?.token
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`)
    request.setRequestHeader('traceparent', traceparent())
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', (event) => {
      watch()
      if (event.lengthComputable) onPercent(Math.floor((event.loaded / event.total) * 100))
    })
    // Once everything is sent, the answer may take its time.
    request.upload.addEventListener('load', () => clearTimeout(timer))
    request.addEventListener('load', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(request)
    })
    request.addEventListener('error', lost)
    request.addEventListener('abort', lost)
    signal?.addEventListener('abort', stop)
    watch()
    request.send(form)
  })
}

/** Uploads a form; percent counts the bytes that left, not the work done with them. An aborted one throws the signal's reason. */
export async function upload<T>(path: string, form: FormData, headers: Record<string, string>, onPercent: (percent: number) => void, signal?: AbortSignal): Promise<T> {
  let request = await once(path, form, headers, onPercent, signal)
  if (request.status === 401 && (await verify())) request = await once(path, form, headers, onPercent, signal)
  if (request.status === 401) signedOut()
  const rotated = request.getResponseHeader('refresh-token')
  if (rotated) replaceToken(rotated)
  if (request.status < 200 || request.status > 299) {
    const found = new Headers()
    for (const name of ['retry-after', 'x-request-id']) {
      const value = request.getResponseHeader(name)
      if (value) found.set(name, value)
    }
    throw readError(request.status, request.response, found)
  }
  return request.response as T
}
