// How the address of the list of jobs becomes the filter of the API; tabs and counts of filters; pure.
import type { Query } from '@/api/client'
import type { JobFilter, Range } from '@/api/operations'
import type { TaskState } from '@/api/types'
import { tallinn } from '@/lib/zone'
import { type JobSearch, MOMENT } from './job-search'

export type { JobSearch } from './job-search'

const RANGES = ['createdAt', 'startedAt', 'finishedAt'] as const
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The filter alone, without empty parts. */
export function filterOf(search: JobSearch): JobFilter {
  const { after: _cursor, ...rest } = search
  const kept = Object.entries(rest).filter(([, value]) => value !== undefined && (typeof value !== 'object' || Object.values(value).some((one) => one !== undefined)))
  return Object.fromEntries(kept) as JobFilter
}

/** A changed filter starts at the newest rows. */
export function withFilter(search: JobSearch, change: Partial<JobSearch>): JobSearch {
  return filterOf({ ...search, ...change })
}

/** The list without filters; the tab stays. */
export function withoutFilters(search: JobSearch): JobSearch {
  return search.state && currentTab(search) !== null ? { state: search.state } : {}
}

function edge(value: string | undefined, time: string): string | undefined {
  if (value === undefined) return undefined
  if (DAY.test(value)) return tallinn(value, time)
  const [, day = '', minute = '', zone] = MOMENT.exec(value) ?? []
  return zone ? value : tallinn(day, minute)
}

/** A range as instants: the last day is in it to its end. */
export function instants(range: Range): Range {
  const after = edge(range.after, '00:00:00')
  const before = edge(range.before, '23:59:59.999')
  return { ...(after ? { after } : {}), ...(before ? { before } : {}) }
}

/** The filter as the API takes it in a body. */
export function toWire(filter: JobFilter): JobFilter {
  const wire = { ...filter }
  for (const key of RANGES) {
    const range = filter[key]
    if (range) wire[key] = instants(range)
  }
  return wire
}

/** The filter as the API takes it in an address. */
export function toQuery(filter: JobFilter): Query {
  const query: Query = {}
  for (const [key, value] of Object.entries(toWire(filter))) {
    if (Array.isArray(value)) query[`${key}[]`] = value
    else if (typeof value === 'object' && value !== null) for (const [side, at] of Object.entries(value as Range)) query[`${key}[${side}]`] = at
    else query[key] = value as string | number
  }
  return query
}

export type Tab = { key: 'all' | 'failed' | 'warning' | 'running' | 'queued' | 'ok' | 'cancelled'; states: TaskState[] }
export const TABS: Tab[] = [
  { key: 'all', states: [] },
  { key: 'failed', states: ['failed'] },
  { key: 'warning', states: ['warning'] },
  { key: 'running', states: ['running'] },
  { key: 'queued', states: ['queued', 'dispatched'] },
  { key: 'ok', states: ['ok'] },
  { key: 'cancelled', states: ['cancelled'] },
]

/** The tab that the address is at, if it is at one. */
export function currentTab(search: JobSearch): Tab['key'] | null {
  const asked = (search.state ?? []).toSorted().join()
  return TABS.find((tab) => tab.states.toSorted().join() === asked)?.key ?? null
}

/** How many filters beside the tab are in force. */
export function filterCount(search: JobSearch): number {
  const filter = filterOf(search)
  return Object.keys(filter).length - (filter.state && currentTab(search) !== null ? 1 : 0)
}
