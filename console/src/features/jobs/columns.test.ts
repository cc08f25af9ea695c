import { expect, it } from 'vitest'
import { chosenColumns, COLUMNS, tableColumns } from './columns'

it('shows the kept columns in the list’s order, the number always', () => {
  expect(tableColumns(chosenColumns(['finishedAt', 'state', 'gone'])).map((column) => column.key)).toEqual(['id', 'state', 'finishedAt'])
})
it('shows the usual ones when none are kept', () => {
  expect([...chosenColumns(null)]).toEqual([...chosenColumns(['gone'])])
  expect(chosenColumns(null).size).toBeLessThan(COLUMNS.length)
})
it('always has one column that takes the rest', () => {
  expect(tableColumns(chosenColumns(['state', 'createdAt'])).filter((column) => column.width === undefined).map((column) => column.key)).toEqual(['state'])
  expect(tableColumns(chosenColumns(null)).filter((column) => column.width === undefined).map((column) => column.key)).toEqual(['output'])
})
