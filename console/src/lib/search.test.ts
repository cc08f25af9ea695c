// The way back to where a person was when the session ended.
import { expect, it } from 'vitest'
import { wayBack } from './search'

it('remembers the page with its filters', () => {
  expect(wayBack({ pathname: '/case_list', href: '/case_list?q=Tamm&page=3', search: {} })).toEqual({ to: '/case_list?q=Tamm&page=3' })
  expect(wayBack({ pathname: '/dashboard', href: '/dashboard', search: {} })).toEqual({})
})

it('keeps what the sign-in and the role page were told', () => {
  expect(wayBack({ pathname: '/signin', href: '/signin?to=%2Fcase_list', search: { to: '/case_list' } })).toEqual({ to: '/case_list' })
  expect(wayBack({ pathname: '/choose-role', href: '/choose-role', search: {} })).toEqual({})
  expect(wayBack({ pathname: '/logout', href: '/logout', search: {} })).toEqual({})
})
