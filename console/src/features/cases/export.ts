// CSV export of everything that matches: streamed, with the share that has arrived.
import { raw } from '@/api/client'
import { saveFile } from '@/lib/csv'
import { stamp } from '@/lib/format'
import type { CasePage } from './queries'

const NEWLINE = 10

function lines(chunk: Uint8Array): number {
  let found = 0
  for (const byte of chunk) if (byte === NEWLINE) found++
  return found
}

/** Downloads the matches as they were at the click; percent counts rows that came against the announced number. */
export async function exportCases(page: Omit<CasePage, 'page'>, onPercent: (percent: number) => void, signal: AbortSignal): Promise<void> {
  const answer = await raw('POST', '/v2/enforcement_cases/data_table', { body: page, headers: { Accept: 'text/csv' }, signal })
  const total = Number(answer.headers.get('x-total-count') ?? 0)
  const parts: BlobPart[] = []
  const reader = answer.body?.getReader()
  let rows = -1
  // oxlint-disable-next-line no-await-in-loop -- a stream is read piece by piece
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    parts.push(step.value as Uint8Array<ArrayBuffer>)
    rows += lines(step.value)
    if (total > 0) onPercent(Math.min(99, Math.floor((rows / total) * 100)))
  }
  saveFile(`toimikud_${stamp(Date.now())}.csv`, parts)
}
