// How roles are said.
import { describe, expect, it } from 'vitest'
import { roleAndBureau } from './status'

describe('who acts', () => {
  it('has a bureau, unless it is the chamber', () => {
    expect([roleAndBureau('KT', '101'), roleAndBureau('koda', 'koda'), roleAndBureau('dev', 'koda'), roleAndBureau(null, '101')]).toEqual(['KT, büroo 101', 'koda', 'arendaja', 'büroo 101'])
  })
})
