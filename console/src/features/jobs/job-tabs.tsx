// The states of jobs as index tabs over the list, each a link with its count under the other filters.
import type { Count, JobCounts, JobFilter } from '@/api/operations'
import { type IndexTab, IndexTabs } from '@/components/ui/sheet'
import { addCounts } from '@/lib/counts'
import { currentTab, type JobSearch, type Tab, TABS, withFilter } from './filters'
import { stateLook } from './status'
import { t } from './texts'

/** How many jobs the states hold; no states are all of them. */
export function countOf(counts: JobCounts | undefined, states: JobFilter['state']): Count | undefined {
  if (!counts) return undefined
  return states && states.length > 0 ? addCounts(...states.map((state) => counts[state])) : counts.all
}

export function JobTabs({ search, counts }: { search: JobSearch; counts: JobCounts | undefined }) {
  const current = currentTab(search)
  const tab = (one: Tab): IndexTab => {
    const state = one.states[0]
    const look = state && stateLook[state]
    return {
      key: one.key,
      word: look ? look.word() : t.all(),
      count: countOf(counts, one.states),
      ...(look ? { icon: look.icon, tone: look.tone } : {}),
      current: one.key === current,
      link: { to: '/jobs', search: withFilter(search, { state: one.states.length > 0 ? one.states : undefined }) },
    }
  }
  const tabs = TABS.map(tab)
  if (current === null) tabs.unshift({ key: 'chosen', word: t.chosen(), count: countOf(counts, search.state), current: true, link: { to: '/jobs', search } })
  return <IndexTabs label={t.tabs()} tabs={tabs} />
}
