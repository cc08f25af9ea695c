// Which page of the list an address asks for, and asking for it before the page itself is on screen.
import type { QueryClient } from '@tanstack/react-query'
import type { CaseColumn, User } from '@/api/types'
import { userQuery } from '@/features/auth/queries'
import { type CaseSearch, filtersBesideStatus, toFilters } from './filters'
import { type CasePage, casesQuery, claimTypesQuery, columnsQuery, countQuery, statusCountsQuery } from './queries'

/** Read with every page for the marks beside the number. */
const MARKS: ReadonlySet<string> = new Set(['problem_count', 'last_transition_error'])

/** The columns that are shown: the person's own or the default ones, and the bureau among all bailiffs' cases. */
export function chosenColumns(columns: CaseColumn[], saved: string[] | null | undefined, others: boolean): Set<string> {
  const known = new Set(columns.map((column) => column.field))
  const kept = saved?.filter((field) => known.has(field)) ?? []
  const chosen = new Set(kept.length > 0 ? kept : columns.filter((column) => column.default).map((column) => column.field))
  if (known.has('number')) chosen.add('number')
  if (others && known.has('tenant')) chosen.add('tenant')
  return chosen
}

/** The person's own columns in the server's order, with this one ticked or not. */
export function toggled(columns: CaseColumn[], own: ReadonlySet<string>, field: string): string[] {
  const next = new Set(own)
  if (!next.delete(field)) next.add(field)
  return columns.map((column) => column.field).filter((one) => next.has(one))
}

export function sortOf(search: CaseSearch): CasePage['sort'] {
  return { field: search.sort ?? 'number', direction: search.dir ?? 'desc' }
}

/** What is asked of the server for the rows of this address. */
export function casePage(columns: CaseColumn[], user: Pick<User, 'case_table_column_fields'> | undefined, search: CaseSearch): CasePage {
  const chosen = chosenColumns(columns, user?.case_table_column_fields, search.others === true)
  const fields = columns.map((column) => column.field).filter((field) => chosen.has(field) || MARKS.has(field))
  return { columns: fields, page: search.page ?? 1, sort: sortOf(search), filters: toFilters(search) }
}

/** Asks for all that the list shows at first; the page finds it on its way or already there. */
export async function prefetchCases(client: QueryClient, userId: number, search: CaseSearch): Promise<void> {
  void client.prefetchQuery(claimTypesQuery)
  void client.prefetchQuery(countQuery(toFilters(search)))
  void client.prefetchQuery(statusCountsQuery(filtersBesideStatus(search)))
  const [columns, user] = await Promise.all([client.ensureQueryData(columnsQuery), client.ensureQueryData(userQuery(userId))])
  await client.prefetchQuery(casesQuery(casePage(columns.member, user, search)))
}
