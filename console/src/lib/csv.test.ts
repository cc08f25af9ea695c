// CSV that spreadsheets read and do not run.
import { describe, expect, it } from 'vitest'
import { parseCsv, toCsv } from './csv'

describe('csv', () => {
  it('uses a BOM, semicolons and CRLF', () => {
    expect(toCsv([['Rida', 'Toimik'], [2, '101/2024/7']])).toBe('\ufeffRida;Toimik\r\n2;101/2024/7\r\n')
  })
  it('quotes what would break a row', () => {
    expect(toCsv([['a;b', 'ütles "ei"', 'kaks\nrida']])).toBe('\ufeff"a;b";"ütles ""ei""";"kaks\nrida"\r\n')
  })
  it.each(['=1+1', '+372', '-5 €', '@x', '\tx', '＝1'])('disarms the formula %j', (value) => {
    expect(toCsv([[value]])).toContain(`'${value}`)
  })
  it('leaves negative numbers alone', () => {
    expect(toCsv([[-5]])).toBe('\ufeff-5\r\n')
  })
  it('reads what it writes', () => {
    const rows = [['Olek', 'Toimik'], ['a;b', 'ütles "ei"'], ['', 'kaks\nrida']]
    expect(parseCsv(toCsv(rows))).toEqual(rows)
    expect(parseCsv('')).toEqual([])
  })
})
