// The keyboard's row in a list: j and k move it, x ticks, Enter opens, r retries.
import { useState } from 'react'
import { useHotkeys } from '@/lib/hotkeys'

type Acts<T> = { onTick?: (row: T) => void; onOpen?: (row: T) => void; onRetry?: (row: T) => void; onSearch?: () => void }

export function useRows<T>(rows: T[], acts: Acts<T>): { here: number | null; setHere: (index: number | null) => void } {
  const [at, setAt] = useState<number | null>(null)
  const here = at === null || rows.length === 0 ? null : Math.min(at, rows.length - 1)
  const row = here === null ? undefined : rows[here]
  const withRow = (act: ((row: T) => void) | undefined) => () => {
    if (row !== undefined) act?.(row)
  }
  useHotkeys({
    j: () => setAt(here === null ? 0 : Math.min(here + 1, rows.length - 1)),
    k: () => setAt(here === null ? 0 : Math.max(here - 1, 0)),
    x: withRow(acts.onTick),
    Enter: withRow(acts.onOpen),
    r: withRow(acts.onRetry),
    ...(acts.onSearch ? { '/': acts.onSearch } : {}),
  })
  return { here, setHere: setAt }
}
