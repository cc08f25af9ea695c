// @vitest-environment jsdom
// The limit of a reason is told near it and past it, and nothing typed is cut.
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { lengthNote, ReasonField, tooLong } from './reason'

afterEach(cleanup)

it.each([
  [399, null, null],
  [400, 'Mahub veel 100 märki.', null],
  [499, 'Mahub veel 1 märk.', null],
  [500, 'Mahub veel 0 märki.', null],
  [512, 'Liiga pikk: kuni 500 märki, 12 on üle.', 'Liiga pikk: kuni 500 märki, 12 on üle.'],
])('%i characters', (length, note, against) => {
  const typed = ` ${'💡'.repeat(length)} `
  expect([lengthNote(typed), tooLong(typed)]).toEqual([note, against])
})

function Form() {
  const [typed, setTyped] = useState('')
  return <ReasonField label="Põhjus" hint="Jääb logisse." value={typed} onType={setTyped} />
}

it('is described by its length and its hint, and keeps what is over', () => {
  render(<Form />)
  const field = screen.getByLabelText<HTMLInputElement>('Põhjus')
  const described = () => (field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent)
  expect(described()).toEqual(['Jääb logisse.'])
  fireEvent.change(field, { target: { value: 'a'.repeat(501) } })
  expect(field.value).toHaveLength(501)
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(described()).toEqual(['Liiga pikk: kuni 500 märki, 1 on üle.', 'Jääb logisse.'])
})
