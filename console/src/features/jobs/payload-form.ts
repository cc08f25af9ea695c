// The payload as typed fields or text, and back; pure.
import type { WholeJob } from '@/api/operations'

export type PayloadField = NonNullable<WholeJob['payloadFields']>[number]
export type Payload = Record<string, unknown>
export type Typed = Record<string, string | boolean>
export type FieldProblem = 'required' | 'integer'

/** A JSON object, or null for anything else. */
export function readJson(text: string): Payload | null {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Payload) : null
  } catch {
    return null
  }
}

/** What stands in the form for a payload. */
export function typedOf(fields: PayloadField[], payload: Payload): Typed {
  return Object.fromEntries(fields.map((field) => {
    const value = payload[field.name]
    if (field.type === 'boolean') return [field.name, value === true]
    return [field.name, value === null || value === undefined ? '' : String(value as string | number)]
  }))
}

/** The payload that the form says, the rest of it kept; or what is wrong in which field. */
export function payloadOf(fields: PayloadField[], typed: Typed, before: Payload): { payload: Payload; problems: Record<string, FieldProblem> } {
  const payload: Payload = { ...before }
  const problems: Record<string, FieldProblem> = {}
  for (const { name, type, required } of fields) {
    const value = typed[name]
    if (type === 'boolean') payload[name] = value === true
    else {
      const text = String(value ?? '').trim()
      if (text === '') {
        if (required) problems[name] = 'required'
        // An optional field that was not there stays away.
        else if (name in before) payload[name] = null
      } else if (type === 'string') payload[name] = text
      else if (/^-?\d{1,15}$/.test(text)) payload[name] = Number(text)
      else problems[name] = 'integer'
    }
  }
  return { payload, problems }
}
