// Which page of a list without page numbers came before which; pure but for its memory.

const KEPT_AT_MOST = 500
const trail = new Map<string, { after: string | undefined }>()

function key(place: string, after: string): string {
  return `${after} ${place}`
}

/** Older rows begin at `next`; the page that names them is `after`. */
export function rememberTrail(place: string, next: string, after: string | undefined): void {
  const name = key(place, next)
  trail.delete(name)
  if (trail.size >= KEPT_AT_MOST) trail.delete(trail.keys().next().value ?? '')
  trail.set(name, { after })
}

/** The page from which this one was reached, or null when that is not known: after a reload, or by a link. */
export function recallTrail(place: string, after: string): { after: string | undefined } | null {
  return trail.get(key(place, after)) ?? null
}
