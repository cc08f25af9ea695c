// Reads a streamed CSV answer to its end, counting the rows that have come.

const NEWLINE = 10

function lines(chunk: Uint8Array): number {
  let found = 0
  for (const byte of chunk) if (byte === NEWLINE) found++
  return found
}

/** The parts of the file; percent counts lines against the expected rows and leaves 100 to the end. */
export async function readCsv(answer: Response, total: number, onPercent: (percent: number) => void): Promise<BlobPart[]> {
  const parts: BlobPart[] = []
  const reader = answer.body?.getReader()
  let rows = -1
  // oxlint-disable-next-line no-await-in-loop -- a stream is read piece by piece
  for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
    parts.push(step.value as Uint8Array<ArrayBuffer>)
    rows += lines(step.value)
    if (total > 0) onPercent(Math.max(0, Math.min(99, Math.floor((rows / total) * 100))))
  }
  return parts
}

/** The file name that the server gave, if it gave one. */
export function fileNameOf(answer: Response): string | null {
  return /filename="?([\w.-]+)"?/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? null
}
