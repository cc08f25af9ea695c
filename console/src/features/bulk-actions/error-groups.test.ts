// What counts as the same error.
import { expect, it } from 'vitest'
import { groupErrors } from './error-groups'

it('takes the first line, leaves numbers out, puts the most first', () => {
  const outputs = [
    'Register keeldus: avaldus 12 on menetlemata\nrida 2', 'Register keeldus: avaldus 1 345 on menetlemata', 'Viitenumber puudub', '', '  ', 'Register keeldus: avaldus 7 on menetlemata',
  ]
  expect(groupErrors(outputs, 'Alamtegevus ebaõnnestus.')).toEqual([
    { text: 'Register keeldus: avaldus … on menetlemata', count: 3, search: 'Register keeldus: avaldus' },
    { text: 'Alamtegevus ebaõnnestus.', count: 2, search: '' },
    { text: 'Viitenumber puudub', count: 1, search: 'Viitenumber puudub' },
  ])
})
it('says a group of one wording as it is', () => {
  expect(groupErrors(['Tasu 15,00', 'Tasu 15,00'], '')).toEqual([{ text: 'Tasu 15,00', count: 2, search: 'Tasu 15,00' }])
})
