// The statuses as index tabs over the list, each with its count under the other filters.
import { useQuery } from '@tanstack/react-query'
import type { CaseStatus } from '@/api/types'
import type { Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icons'
import { type IndexTab, IndexTabs } from '@/components/ui/sheet'
import { type CaseSearch, currentTab, filtersBesideStatus, statusesOf, type Tab, TABS, tabStatus, withFilter } from './filters'
import { statusCountsQuery } from './queries'
import { t } from './texts'

const look: Partial<Record<Tab['key'], [IconName, Tone]>> = {
  open: ['dot', 'plain'],
  partially_closed: ['half', 'plain'],
  changing: ['run', 'run'],
  stopped: ['pause', 'warn'],
  tarn: ['inbox', 'plain'],
  rejected: ['err', 'err'],
  closed: ['ok', 'ok'],
}

function sum(statuses: CaseStatus[], counts: Partial<Record<CaseStatus, number>>): number {
  return statuses.reduce((total, status) => total + (counts[status] ?? 0), 0)
}

export function CaseTabs({ search }: { search: CaseSearch }) {
  const counts = useQuery(statusCountsQuery(filtersBesideStatus(search))).data?.byStatus
  const current = currentTab(search)
  const tabs: IndexTab[] = TABS.map((tab) => {
    const found = look[tab.key]
    return {
      key: tab.key,
      word: t.tab[tab.key](),
      ...(counts ? { count: sum(tab.statuses, counts) } : {}),
      ...(found ? { icon: found[0], tone: found[1] } : {}),
      current: tab.key === current,
      link: { to: '/case_list', search: withFilter(search, { status: tabStatus(tab), archived: undefined }) },
    }
  })
  const own = statusesOf(search)
  if (current === null) {
    tabs.unshift({ key: 'chosen', word: t.tab.chosen(), ...(counts && own ? { count: sum(own, counts) } : {}), current: true, link: { to: '/case_list', search } })
  }
  return <IndexTabs label={t.tabs()} tabs={tabs} />
}
