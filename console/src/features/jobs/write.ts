// Writes a filter as text, so that reading it gives the same filter; pure.
import type { JobFilter, Range } from '@/api/operations'
import { FIELDS, fields, queues, said, states } from './vocabulary'

function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

function value(text: string): string {
  return /\s/.test(text) || text.startsWith('"') ? quoted(text) : text
}

/** Free words stand as they are unless they would be read as something else. */
function words(search: string): string {
  const plain = search.split(' ').every((word) => word !== '' && !/\s/.test(word) && !word.startsWith('"') && !/^[\p{L}_]+:/u.test(word))
  return plain ? search : quoted(search)
}

function range({ after, before }: Range): string {
  if (after && after === before) return after
  if (after && before) return `${after}..${before}`
  return after ? `>${after}` : `<${before ?? ''}`
}

/** The filter in the person's language: known fields in their order, free words last. */
export function write(filter: JobFilter): string {
  const found = FIELDS.flatMap((field) => {
    const of = filter[field]
    if (of === undefined) return []
    const key = said(fields[field])
    if (field === 'state') return [`${key}:${(filter.state ?? []).map((one) => said(states[one])).join()}`]
    if (field === 'queue') return [`${key}:${(filter.queue ?? []).map((one) => said(queues[one])).join()}`]
    if (Array.isArray(of)) return [`${key}:${of.join()}`]
    if (typeof of === 'object') return [`${key}:${range(of)}`]
    return [`${key}:${value(String(of))}`]
  })
  return [...found, ...(filter.search ? [words(filter.search)] : [])].join(' ')
}

