// What is said of a rule's past: over the whole week, since the figures begin, or nothing where there are none; pure.
import { dateTime } from '@/lib/format'
import type { Preview } from './queries'
import { t } from './texts'

const HOUR_MS = 3_600_000
const WEEK_MS = 168 * HOUR_MS

export type Verdict = {
  /** The sentence that has to be read first: since when there are figures. */
  begins: string | null
  sentence: string
}

export function verdictOf({ from, to, fired }: Pick<Preview, 'from' | 'to' | 'fired'>): Verdict {
  const [first, end] = [Date.parse(from), Date.parse(to)]
  if (first >= end) return { begins: null, sentence: t.preview.unknown() }
  if (first <= end - WEEK_MS + HOUR_MS) return { begins: null, sentence: fired > 0 ? t.preview.fired(fired) : t.preview.never() }
  return { begins: t.preview.begins(dateTime(from)), sentence: fired > 0 ? t.preview.firedSince(fired) : t.preview.neverSince() }
}
