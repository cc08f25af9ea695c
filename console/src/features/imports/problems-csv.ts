// The downloadable list of an import's errors and warnings; pure.
import type { Import, ImportLine, WholeImport } from '@/api/types'
import { toCsv } from '@/lib/csv'
import { stamp } from '@/lib/format'

const HEAD = ['Rida', 'Toimik', 'Tulp', 'Probleem']

function row(line: ImportLine): Array<string | number> {
  return [line.row, line.case_number ?? '', line.column ?? '', line.message]
}

export function problemsCsv(of: Pick<WholeImport, 'errors' | 'warnings'>): string {
  return toCsv([HEAD, ...of.errors.map(row), ...of.warnings.map(row)])
}

export function problemsFileName(of: Pick<Import, 'type'>, now: number): string {
  return `${of.type}_import_vead_${stamp(now)}.csv`
}
