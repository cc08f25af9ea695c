import { describe, expect, it } from 'vitest'
import { payloadOf, readJson, typedOf, type PayloadField } from './payload-form'

const fields: PayloadField[] = [
  { name: 'caseId', type: 'integer', required: true },
  { name: 'note', type: 'string', required: false },
  { name: 'force', type: 'boolean', required: false },
]

describe('a payload in a form', () => {
  it('goes there and back', () => {
    const payload = { caseId: 7, note: 'x', force: true, other: [1] }
    expect(payloadOf(fields, typedOf(fields, payload), payload)).toEqual({ payload, problems: {} })
  })
  it('names the field that is wrong', () => {
    expect(payloadOf(fields, { caseId: ' ', note: '', force: false }, {}).problems).toEqual({ caseId: 'required' })
    expect(payloadOf(fields, { caseId: '7,5', note: '', force: false }, {}).problems).toEqual({ caseId: 'integer' })
  })
  it('empties an optional field only where there was one', () => {
    expect(payloadOf(fields, { caseId: '7', note: '', force: false }, { note: 'x' }).payload).toEqual({ caseId: 7, note: null, force: false })
    expect(payloadOf(fields, { caseId: '-7', note: '', force: false }, {}).payload).toEqual({ caseId: -7, force: false })
  })
})

it('reads objects alone as JSON', () => {
  expect([readJson('{"a": 1}'), readJson('[1]'), readJson('null'), readJson('{')]).toEqual([{ a: 1 }, null, null, null])
})
