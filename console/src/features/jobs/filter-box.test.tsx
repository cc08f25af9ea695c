// @vitest-environment jsdom
// The filter as text: typed, suggested, refused, and following the address.
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useEffect, useRef, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { JobFilter } from '@/api/operations'
import { FilterBox } from './filter-box'

let setFilter: (filter: JobFilter) => void = () => {}
let seen: JobFilter[] = []

function Page() {
  const [filter, set] = useState<JobFilter>({})
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    setFilter = set
  }, [])
  return (
    <FilterBox
      filter={filter}
      field={field}
      onChange={(next) => {
        seen.push(next)
        set(next)
      }}
    />
  )
}

const box = () => screen.getByRole<HTMLInputElement>('combobox')
const type = (text: string) => fireEvent.change(box(), { target: { value: text } })
const press = (key: string) => fireEvent.keyDown(box(), { key })

beforeEach(() => {
  vi.useFakeTimers()
  Element.prototype.scrollIntoView = () => {}
  seen = []
  render(<Page />)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('takes what is typed on Enter, and a moment after the last key', () => {
  type('büroo:101')
  press('Enter')
  expect(seen).toEqual([{ bureau: '101' }])
  type('büroo:101 Maasikas')
  expect(seen).toHaveLength(1)
  act(() => void vi.advanceTimersByTime(800))
  expect(seen.at(-1)).toEqual({ bureau: '101', search: 'Maasikas' })
})

it('does not take a word that may still become a field', () => {
  type('büroo:101 jär')
  act(() => void vi.advanceTimersByTime(5_000))
  expect(seen).toEqual([])
})

it('completes a field by Tab and a value by Enter', () => {
  type('ole')
  expect(screen.getAllByRole('option').map((one) => one.textContent)).toEqual(['olek:üks või mitu olekut'])
  press('ArrowDown')
  expect(box().getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id)
  press('Tab')
  expect(box().value).toBe('olek:')
  type('olek:eba')
  press('ArrowDown')
  press('Enter')
  expect(seen).toEqual([{ state: ['failed'] }])
  expect(box().value).toBe('olek:ebaõnnestunud ')
  expect(screen.queryByRole('listbox')).toBeNull()
})

it('leaves Tab alone where nothing is chosen', () => {
  type('ole')
  expect(press('Tab')).toBe(true)
})

it('says what is wrong under the box, and Escape takes the typing back', () => {
  act(() => setFilter({ bureau: '101' }))
  type('büroo:101 olek:valmis')
  press('Enter')
  expect(screen.getByRole('alert').textContent).toContain('Kohal 16: olekut „valmis“ ei ole.')
  expect(box().getAttribute('aria-invalid')).toBe('true')
  expect(box().getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  expect(seen).toEqual([])
  press('Escape')
  expect([box().value, screen.queryByRole('alert')]).toEqual(['büroo:101', null])
})

it('follows the address: a removed chip, and the way back to what was typed before', () => {
  type('büroo:101 Mari')
  press('Enter')
  act(() => setFilter({ bureau: '101' }))
  expect(box().value).toBe('büroo:101')
  act(() => setFilter({ bureau: '101', search: 'Mari' }))
  expect(box().value).toBe('büroo:101 Mari')
})

it('leaves the typing alone when its own filter comes back', () => {
  type('  büroo:101   Mari ')
  press('Enter')
  expect(box().value).toBe('  büroo:101   Mari ')
  fireEvent.blur(box())
  expect(box().value).toBe('büroo:101 Mari')
})
