// Reads CSV, and writes the files that the browser makes itself: semicolons, a BOM, CRLF, and no cell that a spreadsheet would run.

const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows of cells as one CSV text; text cells that look like formulas get a leading apostrophe. */
export function toCsv(rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  return `\ufeff${rows.map((row) => `${row.map(cell).join(';')}\r\n`).join('')}`
}

/** Reads semicolon CSV with quotes, such as the server writes. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  // A cell, quoted or bare, and what ends it.
  for (const [, quoted, bare, end] of text.replace(/^\ufeff/, '').matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r?\n|$)/g)) {
    if (end === '' && !bare && quoted === undefined && row.length === 0) break
    row.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'))
    if (end === ';') continue
    rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}

/** Hands a file to the browser's download. */
export function saveFile(name: string, content: BlobPart[] | string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob(typeof content === 'string' ? [content] : content, { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
