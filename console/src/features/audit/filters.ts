// How the address of the audit list becomes the API's question; pure.
import type { Query } from '@/api/client'
import { tallinn } from '@/lib/zone'
import type { AuditFilter, AuditSearch } from './audit-search'

export type { AuditFilter, AuditSearch } from './audit-search'

export function filterOf({ after: _after, entry: _entry, ...filter }: AuditSearch): AuditFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}

/** A changed filter starts at the newest entries, none of them open. */
export function withFilter(search: AuditSearch, change: Partial<AuditFilter>): AuditSearch {
  return filterOf({ ...search, ...change })
}

export function toQuery({ from, until, ...rest }: AuditFilter): Query {
  return { ...rest, ...(from ? { 'at[after]': tallinn(from) } : {}), ...(until ? { 'at[before]': tallinn(until, '23:59:59.999') } : {}) }
}
