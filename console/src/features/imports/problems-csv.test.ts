// The error file of an import.
import { expect, it } from 'vitest'
import { problemsCsv, problemsFileName } from './problems-csv'

it('lists errors, then warnings, under the fixed head', () => {
  const csv = problemsCsv({
    errors: [{ row: 3, case_number: '101/2024/2', column: 'Võlgniku kood', message: 'Pikkus on vale; peab olema 11.' }],
    warnings: [{ row: 5, case_number: null, column: null, message: 'Kontrollnumber on vale.' }],
  })
  expect(csv).toBe('\ufeffRida;Toimik;Tulp;Probleem\r\n3;101/2024/2;Võlgniku kood;"Pikkus on vale; peab olema 11."\r\n5;;;Kontrollnumber on vale.\r\n')
})

it('is named by type and time', () => {
  expect(problemsFileName({ type: 'taavi' }, Date.parse('2026-11-27T08:00:00Z'))).toBe('taavi_import_vead_20261127_100000.csv')
})
