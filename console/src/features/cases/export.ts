// CSV export of everything that matches: streamed, with the share that has arrived.
import { raw } from '@/api/client'
import { readCsv } from '@/api/download'
import { saveFile } from '@/lib/csv'
import { stamp } from '@/lib/format'
import type { CasePage } from './queries'

/** Downloads the matches as they were at the click. */
export async function exportCases(page: Omit<CasePage, 'page'>, onPercent: (percent: number) => void, signal: AbortSignal): Promise<void> {
  const answer = await raw('POST', '/v2/enforcement_cases/data_table', { body: page, headers: { Accept: 'text/csv' }, signal })
  const parts = await readCsv(answer, Number(answer.headers.get('x-total-count') ?? 0), onPercent)
  saveFile(`toimikud_${stamp(Date.now())}.csv`, parts)
}
