// The cause of a stall in one sentence.
import { expect, it } from 'vitest'
import type { Stall } from '@/api/operations'
import { stallWords } from './stall'

const stall = (of: Partial<Stall> & Pick<Stall, 'code'>): Stall => ({ queue: null, register: null, reason: null, by: null, since: null, until: null, ...of })

it.each([
  [stall({ code: 'paused', queue: 'bulk', by: 'Madis Kivi', reason: 'hooldus' }), 'Järjekord Masstegevused on peatatud · peatas Madis Kivi · „hooldus“'],
  [stall({ code: 'paused' }), 'Töö on peatatud'],
  [stall({ code: 'register_down', register: 'tarn' }), 'Täitmisregister ei vasta; katseid ei kulu ja töö jätkub ise'],
  [stall({ code: 'no_workers', queue: 'register' }), 'Järjekorraga Registrid ei tööta keegi'],
  [stall({ code: 'retry' }), 'Alamtegevused ootavad uut katset'],
  [stall({ code: 'action_paused' }), 'Masstegevus on peatatud: uusi alamtegevusi ei alustata'],
])('%j is said', (given, words) => {
  expect(stallWords(given)).toBe(words)
})
