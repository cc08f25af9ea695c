// Which rows a refresh may show: the ones being read stay where they are, new ones wait; pure.

/** Fresh data for the rows on screen, and how many rows are waiting to be shown. */
export function holdRows<T extends { id: number }>(shown: T[], fresh: T[]): { rows: T[]; waiting: number } {
  if (shown.length === 0) return { rows: fresh, waiting: 0 }
  const byId = new Map(fresh.map((row) => [row.id, row]))
  const known = new Set(shown.map((row) => row.id))
  return { rows: shown.map((row) => byId.get(row.id) ?? row), waiting: fresh.filter((row) => !known.has(row.id)).length }
}
