// Reading the case list: columns, rows, counts, kinds of claims.
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from '@/api/client'
import type { CaseSelection } from '@/api/operations'
import type { CaseColumn, CaseCount, CaseFilters, CaseRow, ClaimType, Collection } from '@/api/types'
import { columnTitles, saidText } from './words'

export const CASES_PER_PAGE = 40

export type CaseSort = { field: string; direction: 'asc' | 'desc' }
export type CasePage = { columns: string[]; page: number; sort: CaseSort; filters: CaseFilters }

export const columnsQuery = queryOptions({
  queryKey: ['cases', 'columns'],
  queryFn: ({ signal }) => get<Collection<CaseColumn>>('/v2/enforcement_cases/columns', { signal }),
  select: (found) => found.member,
  staleTime: 600_000,
})

export function casesQuery(page: CasePage) {
  return queryOptions({
    queryKey: ['cases', 'page', page],
    queryFn: ({ signal }) => post<Collection<CaseRow>>('/v2/enforcement_cases/data_table', { ...page, limit: CASES_PER_PAGE }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function countQuery(filters: CaseFilters) {
  return queryOptions({
    queryKey: ['cases', 'count', filters],
    queryFn: ({ signal }) => post<CaseCount>('/v2/enforcement_cases/case_table_cases_count', { filters }, { signal }),
  })
}

/** How many cases stand in each status, the other filters being in force. */
export function statusCountsQuery(filters: CaseFilters) {
  return queryOptions({
    queryKey: ['cases', 'status-counts', filters],
    queryFn: ({ signal }) => post<CaseCount>('/v2/enforcement_cases/case_table_cases_count', { filters, by: 'status' }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export const claimTypesQuery = queryOptions({
  queryKey: ['claim-types'],
  queryFn: ({ signal }) => get<Collection<ClaimType>>('/v2/claim_types', { signal }),
  select: (found) => found.member,
  staleTime: 600_000,
})

/** Filters as one sentence, for other nouns that show which cases they are about. */
export function useFilterWords(filters: CaseFilters): string {
  const types = useQuery(claimTypesQuery)
  const columns = useQuery({ ...columnsQuery, enabled: filters.exists !== undefined })
  return saidText(filters, types.data ?? [], columnTitles(columns.data ?? []))
}

/** The first few cases whose number begins so, archived ones too. */
export function casesByNumberQuery(number: string, limit = 6) {
  return queryOptions({
    queryKey: ['cases', 'by-number', number, limit],
    queryFn: ({ signal }) => post<Collection<CaseRow>>('/v2/enforcement_cases/data_table', { columns: ['number', 'status', 'debtor_name'], page: 1, limit, sort: { field: 'number', direction: 'desc' }, filters: { number } }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

export function selectionQuery(id: number) {
  return queryOptions({
    queryKey: ['case-selection', id],
    queryFn: ({ signal }) => get<CaseSelection>(`/v2/case_selections/${id}`, { signal }),
    staleTime: 60_000,
    retry: false,
  })
}

/** A selection of these cases, kept by the server. */
export function useCreateSelection(failed: () => string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (caseNumbers: string[]) => post<CaseSelection>('/v2/case_selections', { caseNumbers }),
    meta: { failed: failed() },
    onSuccess: (made) => client.setQueryData(selectionQuery(made.id).queryKey, made),
  })
}
