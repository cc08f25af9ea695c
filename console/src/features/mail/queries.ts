// Reading mails and the person's own choice of them.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { get, getDated, put } from '@/api/client'
import { ApiError, report } from '@/api/errors'
import type { Who } from '@/api/operations'
import type { Collection } from '@/api/types'
import { toasts } from '@/lib/toasts'
import { mailKindWord } from './status'
import { t } from './texts'

export type MailKind = { kind: string; wanted: boolean; default: boolean }
export type MailPreferences = { email: string | null; kinds: MailKind[] }
export type MailState = 'waiting' | 'sent' | 'failed' | 'cancelled'
export type Mail = {
  id: number; kind: string; to: Who; email: string | null; subject: string | null; messageId: string; notices: number
  createdAt: string; sentAt: string | null; state: MailState; jobId: number | null; attempts: number; error: string | null
}
export type WholeMail = Mail & { content: { headers: Array<{ name: string; value: string }>; text: string | null; html: string | null } | null }

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
