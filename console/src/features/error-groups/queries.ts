// Reading the errors that failed jobs share, and the note that one is known.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getDated, put } from '@/api/client'
import type { ErrorGroup, JobFilter } from '@/api/operations'
import type { Collection } from '@/api/types'
import { toasts } from '@/lib/toasts'
import { DEFAULT_HOURS, type GroupSearch } from './filters'
import { t } from './texts'

const keys = { all: ['error-groups'] as const }

export function groupsQuery({ hours = DEFAULT_HOURS, queue, bureau, known }: GroupSearch) {
  return queryOptions({
    queryKey: [...keys.all, hours, queue ?? '', bureau ?? '', known ?? ''],
    queryFn: ({ signal }) => getDated<Collection<ErrorGroup>>('/v2/error_groups', { query: { hours, queue, bureau, known }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** The failed jobs of a group that its count is of: those that ended within the hours, of the bureau if one is asked for. */
export function jobsOf(group: Pick<ErrorGroup, 'key'>, { hours = DEFAULT_HOURS, bureau }: Pick<GroupSearch, 'hours' | 'bureau'>, now: number): JobFilter {
  return { state: ['failed'], errorGroup: group.key, ...(bureau ? { bureau } : {}), finishedAt: { after: new Date(now - hours * 3_600_000).toISOString() } }
}

export function useNote() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ key, note }: { key: string; note: string | null }) => put<ErrorGroup>(`/v2/error_groups/${encodeURIComponent(key)}/note`, { note }),
    meta: { quiet: true },
    onSuccess: (_saved, { note }) => toasts.success(note === null ? t.noteRemoved() : t.noteSaved()),
    onSettled: () => Promise.all([client.invalidateQueries({ queryKey: keys.all }), client.invalidateQueries({ queryKey: ['operations'] })]),
  })
}
