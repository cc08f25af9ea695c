// Keys made when a dialog opens: the same order sends the same key, a changed one gets its own.
import { useRef } from 'react'

export function useIdempotencyKeys(): (part: string, body: unknown) => string {
  const keys = useRef(new Map<string, string>())
  return (part, body) => {
    const id = `${part} ${JSON.stringify(body)}`
    const known = keys.current.get(id)
    if (known) return known
    const made = crypto.randomUUID()
    keys.current.set(id, made)
    return made
  }
}
