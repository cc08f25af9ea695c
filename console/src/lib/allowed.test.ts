// What the server allows, and why not.
import { describe, expect, it } from 'vitest'
import { refusal } from './allowed'

describe('an act', () => {
  const of = { allowedActions: [{ name: 'retry', allowed: true }, { name: 'cancel', allowed: false, reason: 'juba katkestatud' }, { name: 'resume', allowed: false, reason: '' }] }
  it('that is refused always has a reason', () => {
    expect(['retry', 'cancel', 'resume', 'unknown'].map((name) => refusal(of, name))).toEqual([null, 'juba katkestatud', 'seda ei saa praegu teha', null])
  })
})
