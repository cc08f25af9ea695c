// Which page numbers are shown.
import { expect, it } from 'vitest'
import { pageNumbers } from './pager'

it.each([
  [1, 1, [1]],
  [1, 206, [1, 2, 3, 0, 206]],
  [2, 4, [1, 2, 3, 4]],
  [50, 206, [1, 0, 49, 50, 51, 0, 206]],
  [206, 206, [1, 0, 205, 206]],
])('page %d of %d shows %j', (page, last, shown) => {
  expect(pageNumbers(page, last)).toEqual(shown)
})
