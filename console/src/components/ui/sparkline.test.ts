// What the small bars show.
import { describe, expect, it } from 'vitest'
import { gather, heights } from './sparkline'

describe('the small bars', () => {
  it('put neighbours together and leave none out', () => {
    const ones = Array.from({ length: 60 }, () => 1)
    expect(gather(ones, ones, 30)).toEqual(Array.from({ length: 30 }, () => ({ done: 2, failed: 2 })))
    expect(gather([1, 2, 3], [0, 0, 1], 2)).toEqual([{ done: 1, failed: 0 }, { done: 5, failed: 1 }])
    expect(gather([], [], 30)).toEqual([])
  })
  it('show one failure among thousands', () => {
    expect(heights([{ done: 5000, failed: 1 }, { done: 0, failed: 0 }], 20)).toEqual([{ done: 18, failed: 2 }, { done: 0, failed: 0 }])
  })
  it('fill the height with the greatest', () => {
    expect(heights([{ done: 10, failed: 0 }, { done: 5, failed: 5 }, { done: 5, failed: 0 }], 20)).toEqual([{ done: 20, failed: 0 }, { done: 10, failed: 10 }, { done: 10, failed: 0 }])
  })
})
