// What may go wrong with a call, and how it is told: one toast per violation, a JSON message line by line, silence when nothing answered.
import { toasts } from '@/lib/toasts'
import { text } from '@/lib/texts'
import { fieldName } from './field-names'

export type Violation = { propertyPath: string; message: string }
type Body = { message?: unknown; detail?: unknown; title?: unknown; violations?: unknown }

const texts = {
  forbidden: text('Puuduvad piisavad õigused', 'You do not have sufficient rights'),
  unknown: text('Päring ebaõnnestus. Proovi uuesti.', 'The request failed. Try again.'),
  tooLarge: text('Fail on liiga suur: kuni 100 MB.', 'The file is too large: at most 100 MB.'),
}

/** A refusal or fault that the server told us about; status 0 means that no answer came at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly status: number,
    readonly lines: string[],
    readonly violations: Violation[],
    readonly requestId: string | null,
    readonly retryAfterMs: number,
    readonly body: unknown = null,
  ) {
    super(lines.join('\n'))
  }
}

/** A message that is itself a JSON object becomes one line per key, the key in words. */
export function messageLines(message: unknown): string[] {
  if (typeof message === 'string') {
    const trimmed = message.trim()
    if (trimmed.startsWith('{')) {
      try {
        return messageLines(JSON.parse(trimmed))
      } catch {
        return [message]
      }
    }
    return trimmed ? [message] : []
  }
  if (message && typeof message === 'object') {
    return Object.entries(message).map(([key, value]) => `${fieldName(key)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  }
  return []
}

function isViolation(value: unknown): value is Violation {
  return typeof value === 'object' && value !== null && typeof (value as Violation).message === 'string'
}

/** Reads any of the error bodies of both generations of the API. */
export function readError(status: number, body: unknown, headers: Headers): ApiError {
  const found: Body = body && typeof body === 'object' ? body : {}
  const violations = Array.isArray(found.violations) ? found.violations.filter(isViolation) : []
  const lines = violations.length > 0 ? violations.map((violation) => violation.message) : messageLines(found.message ?? found.detail ?? found.title)
  const seconds = Number(headers.get('retry-after') ?? 0)
  return new ApiError(status, lines, violations, headers.get('x-request-id'), Number.isFinite(seconds) ? seconds * 1000 : 0, body)
}

/** What to say in a place on the page: one sentence, or a line for each thing that is wrong. */
export function sentence(error: unknown, fallback: string): string {
  if (error instanceof ApiError) {
    if (error.status === 403) return texts.forbidden()
    if (error.lines.length > 0 && error.status < 500) return error.lines.join('\n')
  }
  return fallback
}

/** Tells the person about a failed call by toast, as the error catalogue says. */
export function report(error: unknown, fallback?: string): void {
  if (!(error instanceof ApiError)) {
    toasts.error(fallback ?? texts.unknown())
    return
  }
  if (error.status === 0 || error.status === 401) return
  if (error.status === 403) {
    toasts.error(texts.forbidden())
  } else if (error.status === 413) {
    toasts.error(texts.tooLarge())
  } else if (error.violations.length > 0) {
    for (const violation of error.violations) toasts.error(violation.message)
  } else if (error.lines.length > 0 && error.status < 500) {
    toasts.error(error.lines.join('\n'))
  } else {
    toasts.error(fallback ?? texts.unknown())
  }
}
