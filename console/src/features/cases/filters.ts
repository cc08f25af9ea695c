// What the address says about the list, and how it becomes the filters of the API; pure.
import * as z from 'zod/mini'
import type { CaseFilters, CaseStatus } from '@/api/types'
import { loose, pageField } from '@/lib/search'

export const STATUSES = [
  'open', 'partially_closed', 'being_closed', 'being_partially_closed', 'being_stopped', 'being_unstopped', 'being_reopened',
  'stopped', 'tarn', 'rejected', 'closed', 'archived',
] as const satisfies readonly CaseStatus[]
export const CHANGING: CaseStatus[] = ['being_closed', 'being_partially_closed', 'being_stopped', 'being_unstopped', 'being_reopened']
/** The statuses that the default list asks for. */
export const PENDING: CaseStatus[] = ['open', 'partially_closed']

const kind = loose(z.enum(['private', 'juridical']))
const word = loose(z.string().check(z.minLength(1), z.maxLength(200)))
const day = loose(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)))
const cents = loose(z.int().check(z.minimum(-1e13), z.maximum(1e13)))

export const searchSchema = z.object({
  /** Absent: in progress (the default); 'all': everything but archived; a list: just those. */
  status: loose(z.union([z.literal('all'), z.array(z.enum(STATUSES)).check(z.minLength(1))])),
  archived: loose(z.literal(true)),
  q: word, number: word,
  debtor: kind, debtorName: word, debtorCode: word,
  claimant: kind, claimantName: word, claimantCode: word,
  claimType: loose(z.array(z.int()).check(z.minLength(1))),
  min: cents, max: cents,
  from: day, until: day,
  others: loose(z.literal(true)),
  caseSelection: loose(z.int().check(z.minimum(1))),
  exists: loose(z.record(z.string(), z.boolean())),
  sort: loose(z.string().check(z.regex(/^[a-z_]{1,40}$/))),
  dir: loose(z.literal('asc')),
  page: pageField,
  dialog: loose(z.literal('import')),
  import: loose(z.int()),
})
export type CaseSearch = z.infer<typeof searchSchema>

/** The part of the address that is about how the list is shown, not which cases are in it. */
const VIEW: ReadonlySet<keyof CaseSearch> = new Set(['sort', 'dir', 'page', 'dialog', 'import'])
const IN_TABS: ReadonlySet<keyof CaseSearch> = new Set(['status', 'archived'])

/** The statuses asked for; undefined means no filter by status. */
export function statusesOf(search: CaseSearch): CaseStatus[] | undefined {
  if (search.status === undefined) return search.archived ? [...PENDING, 'archived'] : PENDING
  if (search.status === 'all') return search.archived ? undefined : STATUSES.filter((status) => status !== 'archived')
  return search.archived && !search.status.includes('archived') ? [...search.status, 'archived'] : search.status
}

/** Filters without the status, for the counts on the tabs. */
export function filtersBesideStatus(search: CaseSearch): CaseFilters {
  const filters: CaseFilters = {}
  if (search.number) filters.number = search.number
  if (search.debtor) filters['debtor.type'] = [search.debtor]
  if (search.debtorName) filters['debtor.name'] = search.debtorName
  if (search.debtorCode) filters['debtor.regCode'] = search.debtorCode
  if (search.claimant) filters['claimant.type'] = [search.claimant]
  if (search.claimantName) filters['claimant.name'] = search.claimantName
  if (search.claimantCode) filters['claimant.regCode'] = search.claimantCode
  if (search.claimType) filters.mainClaimType = search.claimType
  if (search.min !== undefined && search.max !== undefined) filters['balance.cents'] = { between: `${search.min}..${search.max}` }
  else if (search.min !== undefined) filters['balance.cents'] = { gte: search.min }
  else if (search.max !== undefined) filters['balance.cents'] = { lte: search.max }
  if (search.from || search.until) filters.dateOpened = { ...(search.from ? { after: search.from } : {}), ...(search.until ? { before: search.until } : {}) }
  if (search.q) filters.globalSearchTerm = search.q
  if (search.others) filters.includeAllBailiffs = true
  if (search.exists && Object.keys(search.exists).length > 0) filters.exists = search.exists
  if (search.caseSelection) filters.caseSelection = search.caseSelection
  return filters
}

/** All filters of the list, as the API takes them. */
export function toFilters(search: CaseSearch): CaseFilters {
  const status = statusesOf(search)
  return { ...(status ? { status } : {}), ...filtersBesideStatus(search) }
}

/** Statuses ticked in the panel that no tab stands for. */
export function ownStatuses(search: CaseSearch): CaseStatus[] | null {
  return Array.isArray(search.status) && currentTab({ status: search.status }) === null ? search.status : null
}

/** How many filters beside the tab are in force. */
export function filterCount(search: CaseSearch): number {
  const named = (Object.keys(search) as Array<keyof CaseSearch>).filter((key) => search[key] !== undefined && !VIEW.has(key) && !IN_TABS.has(key) && key !== 'exists' && key !== 'max' && key !== 'until')
  const upperOnly = (search.max !== undefined && search.min === undefined ? 1 : 0) + (search.until && !search.from ? 1 : 0)
  return named.length + upperOnly + Object.keys(search.exists ?? {}).length + (search.archived ? 1 : 0) + (ownStatuses(search) ? 1 : 0)
}

/** Why a page of the list is empty: past the end, no cases at all, or none that match. */
export function emptyKind(search: CaseSearch, byStatus: Partial<Record<CaseStatus, number>> | null | undefined): 'past' | 'nothing' | 'noMatch' {
  if ((search.page ?? 1) > 1) return 'past'
  const none = byStatus != null && Object.values(byStatus).every((count) => !count)
  return none && filterCount(search) === 0 ? 'nothing' : 'noMatch'
}

/** A changed filter starts at page 1. */
export function withFilter(search: CaseSearch, change: Partial<CaseSearch>): CaseSearch {
  const next = { ...search, ...change, page: undefined }
  if (next.exists && Object.keys(next.exists).length === 0) next.exists = undefined
  return next
}

/** The list without filters; the tab (but no statuses ticked by hand), the sort and the page's own state stay. */
export function withoutFilters(search: CaseSearch): CaseSearch {
  return { status: ownStatuses(search) ? undefined : search.status, sort: search.sort, dir: search.dir }
}

export type Tab = { key: 'pending' | 'all' | 'open' | 'partially_closed' | 'changing' | 'stopped' | 'tarn' | 'rejected' | 'closed'; statuses: CaseStatus[] }
/** Archived cases have none: they are ticked in the panel, and the row of tabs fits at 1440 pixels. */
export const TABS: Tab[] = [
  { key: 'pending', statuses: PENDING },
  { key: 'all', statuses: STATUSES.filter((status) => status !== 'archived') },
  { key: 'open', statuses: ['open'] },
  { key: 'partially_closed', statuses: ['partially_closed'] },
  { key: 'changing', statuses: CHANGING },
  { key: 'stopped', statuses: ['stopped'] },
  { key: 'tarn', statuses: ['tarn'] },
  { key: 'rejected', statuses: ['rejected'] },
  { key: 'closed', statuses: ['closed'] },
]

/** What a tab writes into the address. */
export function tabStatus(tab: Tab): CaseSearch['status'] {
  if (tab.key === 'pending') return undefined
  return tab.key === 'all' ? 'all' : (tab.statuses as CaseSearch['status'])
}

/** The tab that the address is at, if it is at one. */
export function currentTab(search: CaseSearch): Tab['key'] | null {
  if (search.archived) return null
  const asked = (statusesOf(search) ?? STATUSES).toSorted().join()
  return TABS.find((tab) => tab.statuses.toSorted().join() === asked)?.key ?? null
}
