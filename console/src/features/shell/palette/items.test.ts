// What typed words find.
import { describe, expect, it } from 'vitest'
import { caseNumberStart, finds, jobNumber, matching } from './items'

const item = (word: string, find = '') => ({ key: word, word, find })

describe('words', () => {
  it.each([
    ['järj', true], ['jarj', true], ['JÄRJ', true], ['queues', true], ['ava jär', true], ['kord', false], ['jär que', true], ['', true], ['x', false],
  ])('%j finds the queues: %j', (typed, found) => {
    expect(finds(item('Ava järjekorrad', 'queues'), typed)).toBe(found)
  })
  it('put first whose name begins with them', () => {
    expect(matching([item('Peata töö'), item('Töölaud'), item('Vead')], 'töö').map((one) => one.word)).toEqual(['Töölaud', 'Peata töö'])
    expect(matching([item('B'), item('A')], '').map((one) => one.word)).toEqual(['B', 'A'])
  })
})

describe('numbers', () => {
  it.each([
    ['101', '101'], ['101/', '101/'], ['101/20', '101/20'], ['101/2025/', '101/2025/'], [' 101/2025/3307 ', '101/2025/3307'],
    ['10', null], ['1010', null], ['101/20/3', null], ['101/2025/33a', null], ['töö', null],
  ])('%j begins the case number %j', (typed, start) => {
    expect(caseNumberStart(typed)).toBe(start)
  })
  it.each([['7', '7'], ['nr 1 204', '1204'], ['#88', '88'], ['0', null], ['101/20', null], ['abc', null], ['', null]])('%j is the job %j', (typed, id) => {
    expect(jobNumber(typed)).toBe(id)
  })
})
