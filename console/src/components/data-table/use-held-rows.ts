// One page of rows that is refreshed without disturbing who reads it.
import { useState } from 'react'
import { holdRows } from './hold-rows'

/** For so long after an act of the person the page follows what comes: the change is his own. */
const OWN_CHANGE_MS = 5_000

type Found<T> = { data: { member: T[] } | undefined; isPlaceholderData: boolean; isFetching: boolean; dataUpdatedAt: number }

/** `place` names the page: another one begins with what has come. */
export function useHeldRows<T extends { id: number }>(place: string, found: Found<T>, actedAt: number) {
  const [held, setHeld] = useState<{ place: string; rows: T[] }>({ place, rows: [] })
  const members = found.data?.member ?? []
  const fresh = found.isPlaceholderData ? [] : members
  const sinceAct = found.dataUpdatedAt - actedAt
  const follows = held.place !== place || (sinceAct > 0 && sinceAct <= OWN_CHANGE_MS)
  const { rows, waiting, gone } = holdRows(follows ? [] : held.rows, fresh)
  const changed = held.place !== place || rows.length !== held.rows.length || rows.some((row, index) => row !== held.rows[index])
  if (!found.isPlaceholderData && found.data && changed) setHeld({ place, rows })
  return {
    rows: found.isPlaceholderData ? members : rows,
    waiting,
    gone,
    showNew: () => setHeld({ place, rows: fresh }),
    stale: found.isPlaceholderData && found.isFetching,
  }
}
