// Reading, saving and deleting views.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, post, put, remove } from '@/api/client'
import { ApiError, report } from '@/api/errors'
import type { SavedView } from '@/api/operations'
import type { Collection } from '@/api/types'
import { toasts } from '@/lib/toasts'
import { t } from './texts'
import type { ViewPage } from './view'

const ALL = ['saved-views']

export function viewsQuery(page: ViewPage) {
  return queryOptions({
    queryKey: [...ALL, page],
    queryFn: ({ signal }) => get<Collection<SavedView>>('/v2/saved_views', { query: { page }, signal }),
    staleTime: 60_000,
    meta: { quiet: true },
  })
}

type New = Pick<SavedView, 'page' | 'name' | 'query' | 'shared'>

export function useSaveView() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (view: New) => post<SavedView>('/v2/saved_views', view),
    meta: { quiet: true },
    onSuccess: () => toasts.success(t.saved()),
    onError: (error) => report(error instanceof ApiError ? error : null, t.failed()),
    onSettled: () => client.invalidateQueries({ queryKey: ALL }),
  })
}

export function useChangeView() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...change }: Pick<SavedView, 'id' | 'name' | 'shared' | 'version'>) => put<SavedView>(`/v2/saved_views/${id}`, change),
    meta: { quiet: true },
    onSuccess: () => toasts.success(t.changed()),
    onError: (error) => report(error instanceof ApiError ? error : null, t.failed()),
    onSettled: () => client.invalidateQueries({ queryKey: ALL }),
  })
}

/** Deletes at once; taking it back saves the same view anew. */
export function useDeleteView() {
  const client = useQueryClient()
  const save = useSaveView()
  return useMutation({
    mutationFn: (view: SavedView) => remove(`/v2/saved_views/${view.id}`),
    meta: { quiet: true },
    onSuccess: (_gone, { page, name, query, shared }) => toasts.undoable(t.deleted(name), () => save.mutate({ page, name, query, shared })),
    onError: (error) => report(error instanceof ApiError ? error : null, t.deleteFailed()),
    onSettled: () => client.invalidateQueries({ queryKey: ALL }),
  })
}
