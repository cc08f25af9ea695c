// Which rows a refresh may show: the ones being read stay where they are, new ones wait; pure.

export type Held<T> = {
  rows: T[]
  /** New rows that wait to be shown. */
  waiting: number
  /** Ids of rows on screen that no longer belong to the page: what they say is no longer known to be so. */
  gone: number[]
}

/** Fresh data for the rows on screen, and how far they have fallen behind. */
export function holdRows<T extends { id: number }>(shown: T[], fresh: T[]): Held<T> {
  if (shown.length === 0) return { rows: fresh, waiting: 0, gone: [] }
  const byId = new Map(fresh.map((row) => [row.id, row]))
  const known = new Set(shown.map((row) => row.id))
  return {
    rows: shown.map((row) => byId.get(row.id) ?? row),
    waiting: fresh.filter((row) => !known.has(row.id)).length,
    gone: shown.filter((row) => !byId.has(row.id)).map((row) => row.id),
  }
}
