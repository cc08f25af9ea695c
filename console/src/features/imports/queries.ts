// Reading imports and sending a file.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { get } from '@/api/client'
import type { Collection, Import, ImportKind, ImportTaken, WholeImport } from '@/api/types'
import { upload } from '@/api/upload'
import { refused, usePoll } from '@/lib/use-poll'

export const MAX_BYTES = 104_857_600

export const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal }) => get<Collection<Import>>('/v2/imports', { query: { page: 1, limit: 10 }, signal, polled: true }),
})

export function importQuery(id: number) {
  return queryOptions({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => get<WholeImport>(`/v2/imports/${id}`, { signal, polled: true }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** One import, followed until it has ended. */
export function useImport(id: number) {
  const client = useQueryClient()
  const found = useQuery(importQuery(id))
  usePoll({
    active: found.data ? found.data.status === 1 : found.isError && !refused(found.error),
    ask: async () => {
      const before = client.getQueryData<WholeImport>(['imports', id])
      const now = await client.fetchQuery({ ...importQuery(id), retry: false })
      if (before?.status !== now.status) {
        await client.invalidateQueries({ queryKey: ['imports'], exact: true })
        return 'status'
      }
      return before.percent === now.percent ? 'unchanged' : 'counts'
    },
  })
  return found
}

/** The bureau's import that is running now, if one is; followed while it runs. */
export function useRunningImport(enabled: boolean): Import | undefined {
  const client = useQueryClient()
  const { data } = useQuery({ ...importsQuery, enabled })
  const running = data?.member.find((one) => one.status === 1)
  usePoll({
    active: enabled && running !== undefined,
    ask: async () => {
      const now = (await client.fetchQuery({ ...importsQuery, staleTime: 0, retry: false })).member.find((one) => one.id === running?.id)
      if (now?.status !== 1) {
        await client.invalidateQueries({ queryKey: ['cases'] })
        return 'status'
      }
      return now.percent === running?.percent ? 'unchanged' : 'counts'
    },
  })
  return running
}

/** Sends the file; the answer says only that it was taken. */
export function sendImport(kind: ImportKind, file: File, key: string, onPercent: (percent: number) => void, signal: AbortSignal): Promise<ImportTaken> {
  const form = new FormData()
  form.set('type', kind)
  form.set('file', file)
  return upload('/import/taavi', form, { 'Idempotency-Key': key }, onPercent, signal)
}
