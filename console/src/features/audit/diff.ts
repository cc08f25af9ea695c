// What an entry changed: the fields of before and after, side by side; pure.

export type Change = { field: string; before: string | null; after: string | null; changed: boolean }

function flat(value: unknown, path: string, into: Map<string, string>): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0) {
    for (const [key, one] of Object.entries(value)) flat(one, path ? `${path}.${key}` : key, into)
  } else if (value !== undefined && value !== null) into.set(path, typeof value === 'string' ? value : JSON.stringify(value))
}

/** Fields that differ come first; a field that is missing or empty on one side is null there. */
export function diff(before: unknown, after: unknown): Change[] {
  const [old, now] = [new Map<string, string>(), new Map<string, string>()]
  if (before !== null && before !== undefined) flat(before, '', old)
  if (after !== null && after !== undefined) flat(after, '', now)
  const fields = [...new Set([...old.keys(), ...now.keys()])]
  const changes = fields.map((field) => {
    const [was, is] = [old.get(field) ?? null, now.get(field) ?? null]
    return { field, before: was, after: is, changed: was !== is }
  })
  return [...changes.filter((one) => one.changed), ...changes.filter((one) => !one.changed)]
}
