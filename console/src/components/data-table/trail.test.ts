import { expect, it } from 'vitest'
import { recallTrail, rememberTrail } from './trail'

it('leads back page by page, each list by itself', () => {
  rememberTrail('failed', 'b', undefined)
  rememberTrail('failed', 'c', 'b')
  expect([recallTrail('failed', 'c'), recallTrail('failed', 'b'), recallTrail('failed', 'd'), recallTrail('all', 'c')]).toEqual([{ after: 'b' }, { after: undefined }, null, null])
})

it('forgets the oldest when there are many', () => {
  rememberTrail('many', 'first', undefined)
  for (let n = 0; n < 500; n++) rememberTrail('many', `n${n}`, 'x')
  expect([recallTrail('many', 'first'), recallTrail('many', 'n499')]).toEqual([null, { after: 'x' }])
})
