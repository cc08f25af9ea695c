// Reading mails and the person's own choice of them.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, getDated, put } from '@/api/client'
import { ApiError, report } from '@/api/errors'
import type { components } from '@/api/schema'
import type { Collection } from '@/api/types'
import { toasts } from '@/lib/toasts'
import { mailKindWord } from './status'
import { t } from './texts'

type Schemas = components['schemas']
export type MailPreferences = Schemas['MailPreferencesAnswer']
export type MailState = 'waiting' | 'sent' | 'failed' | 'cancelled'
export type Mail = Omit<Schemas['MailAnswer'], 'state'> & { state: MailState }
export type WholeMail = Omit<Schemas['WholeMailAnswer'], 'state'> & { state: MailState }

const PREFERENCES = ['mail-preferences']
export const MAILS_PER_PAGE = 50

export const preferencesQuery = queryOptions({
  queryKey: PREFERENCES,
  queryFn: ({ signal }) => get<MailPreferences>('/v2/mail_preferences', { signal }),
  staleTime: 0,
})

/** Saves one choice at once; it can be taken back for ten seconds. */
export function useChooseMail() {
  const client = useQueryClient()
  const save = async (kind: string, wanted: boolean) => client.setQueryData(PREFERENCES, await put<MailPreferences>('/v2/mail_preferences', { kinds: [{ kind, wanted }] }))
  const failed = (error: unknown) => report(error instanceof ApiError ? error : null, t.preferences.failed())
  return useMutation({
    mutationFn: ({ kind, wanted }: { kind: string; wanted: boolean }) => save(kind, wanted),
    meta: { quiet: true },
    onSuccess: (_now, { kind, wanted }) => toasts.undoable((wanted ? t.preferences.on : t.preferences.off)(mailKindWord(kind)), () => void save(kind, !wanted).catch(failed)),
    onError: failed,
  })
}

export function mailsQuery(page: number) {
  return queryOptions({
    queryKey: ['mails', page],
    queryFn: ({ signal }) => getDated<Collection<Mail>>('/v2/mails', { query: { page, limit: MAILS_PER_PAGE }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

export function mailQuery(id: number) {
  return queryOptions({
    queryKey: ['mails', 'one', id],
    queryFn: ({ signal }) => getDated<WholeMail>(`/v2/mails/${id}`, { signal }),
    staleTime: 0,
  })
}
