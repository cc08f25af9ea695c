// What the address says about the list of jobs, and how it becomes the filter of the API; pure.
import * as z from 'zod/mini'
import type { Query } from '@/api/client'
import type { JobFilter, QueueName, Range } from '@/api/operations'
import type { TaskState } from '@/api/types'
import { loose } from '@/lib/search'
import { tallinn } from '@/lib/zone'

export const STATES = ['queued', 'dispatched', 'running', 'ok', 'warning', 'failed', 'cancelled'] as const satisfies readonly TaskState[]
export const QUEUES = ['interactive', 'bulk', 'register', 'arrest', 'import', 'mail', 'cron'] as const satisfies readonly QueueName[]
export const RANGES = ['createdAt', 'startedAt', 'finishedAt'] as const

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/

/** Whether this is a day, a minute by Tallinn's clock, or an instant. */
export function isMoment(value: string): boolean {
  const found = MOMENT.exec(value)
  if (!found?.[1]) return false
  const day = new Date(`${found[1]}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(found[1]) && (!found[2] || !Number.isNaN(Date.parse(`${found[1]}T${found[2]}Z`)))
}

/** Numbers in an address are words here: 101 is a bureau's code. */
const word = loose(z.pipe(z.pipe(z.union([z.string(), z.number()]), z.transform((value) => String(value).trim())), z.string().check(z.minLength(1), z.maxLength(200))))
const id = loose(z.int().check(z.minimum(1)))
const moment = loose(z.string().check(z.refine(isMoment)))
const range = loose(z.object({ after: moment, before: moment }))

export const filterSchema = z.object({
  search: word,
  state: loose(z.array(z.enum(STATES)).check(z.minLength(1))),
  queue: loose(z.array(z.enum(QUEUES)).check(z.minLength(1))),
  kind: loose(z.array(z.string().check(z.regex(/^[A-Za-z]\w{0,63}$/))).check(z.minLength(1), z.maxLength(50))),
  bureau: word, bailiff: word, caseNumber: word, debtor: word,
  bulkAction: id, operatorAction: id,
  errorGroup: word, error: word, payload: word,
  createdAt: range, startedAt: range, finishedAt: range,
})
export const searchSchema = z.extend(filterSchema, { after: loose(z.string().check(z.minLength(1), z.maxLength(300))) })
export type JobSearch = z.infer<typeof searchSchema>

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
