// The filters of the page of errors in words.
import { queueWord } from '@/features/jobs/status'
import { DEFAULT_HOURS, type GroupSearch } from './filters'
import { t } from './texts'

/** "aeg 24 h · järjekord Registrid · teada ei". */
export function groupFilterSaid(search: GroupSearch): string {
  const all: Array<[string, string | undefined]> = [
    [t.span(), t.hours(search.hours ?? DEFAULT_HOURS)],
    [t.queue(), search.queue && queueWord[search.queue]()],
    [t.bureau(), search.bureau],
    [t.known(), search.known === undefined ? undefined : (search.known ? t.pair.yes : t.pair.no)().toLowerCase()],
  ]
  return all.flatMap(([name, value]) => (value === undefined ? [] : [`${name.toLowerCase()} ${value}`])).join(' · ')
}
