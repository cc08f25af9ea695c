// What the address says and what the API is asked.
import { describe, expect, it } from 'vitest'
import { address } from '@/api/client'
import { currentTab, filterCount, filterOf, toQuery, toWire, withFilter, withoutFilters } from './filters'
import { searchSchema } from './job-search'
import { chipsOf, filterSaid } from './words'

describe('an address', () => {
  it('drops what is no filter', () => {
    expect(filterOf(searchSchema.parse({ state: ['failed', 'done'], queue: 'bulk', bulkAction: 0, createdAt: { after: '2026-02-31' }, bureau: ' ', after: 'x', page: 3 }))).toEqual({})
  })
  it('takes a number for a word', () => {
    expect(searchSchema.parse({ bureau: 101, search: 1482907 })).toEqual({ bureau: '101', search: '1482907' })
  })
  it('starts anew with each filter', () => {
    expect(withFilter({ after: 'cursor', bureau: '101' }, { state: ['failed'] })).toEqual({ bureau: '101', state: ['failed'] })
    expect(withFilter({ bureau: '101' }, { bureau: undefined })).toEqual({})
  })
  it('keeps the tab when the filters go', () => {
    expect(withoutFilters({ state: ['failed'], bureau: '101' })).toEqual({ state: ['failed'] })
    expect(withoutFilters({ state: ['failed', 'ok'] })).toEqual({})
  })
  it('knows its tab', () => {
    expect([currentTab({}), currentTab({ state: ['dispatched', 'queued'] }), currentTab({ state: ['failed', 'ok'] })]).toEqual(['all', 'queued', null])
    expect([filterCount({ state: ['failed'], bureau: '101', after: 'x' }), filterCount({ state: ['failed', 'ok'] })]).toEqual([1, 1])
  })
})

describe('the API', () => {
  it('gets instants for days, the last one to its end', () => {
    expect(toWire({ createdAt: { after: '2026-11-01', before: '2026-11-03' }, startedAt: { after: '2026-07-01T10:30' }, finishedAt: { before: '2026-11-01T10:00:00Z' } })).toEqual({
      createdAt: { after: '2026-10-31T22:00:00.000Z', before: '2026-11-03T21:59:59.999Z' },
      startedAt: { after: '2026-07-01T07:30:00.000Z' },
      finishedAt: { before: '2026-11-01T10:00:00Z' },
    })
  })
  it('is asked with a pair for each value', () => {
    const url = address('/v2/jobs', toQuery({ state: ['queued', 'dispatched'], bureau: '101', bulkAction: 12, createdAt: { after: '2026-11-01T10:00:00Z' } }))
    expect(decodeURIComponent(url)).toBe('/api/v2/jobs?state[]=queued&state[]=dispatched&bureau=101&bulkAction=12&createdAt[after]=2026-11-01T10:00:00Z')
  })
})

describe('words', () => {
  it('say each filter', () => {
    expect(chipsOf({ state: ['failed', 'warning', 'running'], queue: ['mail'], kind: ['SyncToRegister', 'NewKind'], bulkAction: 1200, createdAt: { after: '2026-11-01', before: '2026-11-03' }, startedAt: { before: '2026-11-26T22:00:00.000Z' } }).map((chip) => `${chip.name}: ${chip.value}`)).toEqual([
      'Järjekord: E-kirjad', 'Olek: ebaõnnestunud, hoiatusega või töös', 'Liik: Sünkrooni registriga või NewKind', 'Masstegevus: nr 1\u00a0200', 'Loodud: 01.11.2026–03.11.2026', 'Alustatud: kuni 27.11.2026',
    ])
    expect(filterSaid({})).toBe('kõik tööd')
    expect(filterSaid({ bureau: '101', debtor: 'Mari' })).toBe('büroo 101 · võlgnik Mari')
  })
})
