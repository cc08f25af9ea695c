// Which columns are shown, and which of them are kept.
import { describe, expect, it } from 'vitest'
import type { CaseColumn } from '@/api/types'
import { chosenColumns, toggled } from './first-page'

const columns = [['number', true], ['tenant', false], ['balance', true], ['state', false]].map(([field, shown]) => ({ field, title: field, type: 'string', sortable: true, default: shown })) as CaseColumn[]

describe('columns', () => {
  it('show the bureau among the cases of all bailiffs', () => {
    expect([...chosenColumns(columns, null, true)]).toEqual(['number', 'balance', 'tenant'])
  })
  it('keep what was ticked, not what a filter brought', () => {
    expect(toggled(columns, chosenColumns(columns, null, false), 'state')).toEqual(['number', 'balance', 'state'])
    expect(toggled(columns, chosenColumns(columns, ['number', 'tenant'], false), 'tenant')).toEqual(['number'])
  })
})
