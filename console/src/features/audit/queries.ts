// Reading the audit log.
import { queryOptions } from '@tanstack/react-query'
import { get, raw } from '@/api/client'
import { fileNameOf } from '@/api/download'
import type { AuditPage } from '@/api/operations'
import { saveFile } from '@/lib/csv'
import { stamp } from '@/lib/format'
import { type AuditFilter, toQuery } from './filters'

export const ENTRIES_PER_PAGE = 50

export function auditQuery(filter: AuditFilter, after: string | undefined) {
  return queryOptions({
    queryKey: ['audit', filter, after ?? null],
    queryFn: ({ signal }) => get<AuditPage>('/v2/audit', { query: { ...toQuery(filter), after, limit: ENTRIES_PER_PAGE }, signal, polled: true }),
    staleTime: 0,
  })
}

/** Everything that matches, as a file. */
export async function saveAudit(filter: AuditFilter, signal: AbortSignal): Promise<void> {
  const answer = await raw('GET', '/v2/audit', { query: toQuery(filter), headers: { Accept: 'text/csv' }, signal })
  saveFile(fileNameOf(answer) ?? `tegevuste_logi_${stamp(Date.now())}.csv`, [await answer.blob()])
}
