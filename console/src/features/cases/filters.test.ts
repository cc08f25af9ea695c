// The address and the filters of the API.
import { describe, expect, it } from 'vitest'
import { type CaseSearch, currentTab, emptyKind, filterCount, searchSchema, statusesOf, STATUSES, TABS, tabStatus, toFilters, withFilter, withoutFilters } from './filters'
import { chipsOf, saidText, say } from './words'

const parse = (input: unknown): CaseSearch => searchSchema.parse(input)
const types = [{ id: 1, name: 'Võlanõue' }, { id: 2, name: 'Trahv' }, { id: 3, name: 'Elatis' }]

describe('the address', () => {
  it('drops what it does not understand instead of failing', () => {
    expect(parse({ page: 'x', status: ['nonsense'], min: '1', from: '27.11.2026', others: 'yes', dir: 'desc', sort: 'number;drop', what: 1 })).toEqual({})
  })
  it('keeps what it understands', () => {
    const search = { status: ['open'], q: 'Tamm', claimType: [1, 2], min: 100, page: 3, sort: 'balance', dir: 'asc', exists: { taitis_number: false } }
    expect(parse(search)).toEqual(search)
  })
  it('does not spell out page 1', () => {
    expect(parse({ page: 1 })).toEqual({})
  })
})

describe('a selection', () => {
  const search = parse({ caseSelection: 12, status: 'all' })
  it('is one of the filters, counted and said', () => {
    expect([filterCount(search), toFilters(search).caseSelection, parse({ caseSelection: -1 })]).toEqual([1, 12, {}])
    expect(saidText({ caseSelection: 12 }, types, new Map())).toBe('Kõik toimikud, ka arhiveeritud, kus valim on nr 12')
    expect(withoutFilters(search)).toEqual({ status: 'all' })
  })
  it.each([[37, '37 toimikut'], [1, '1 toimik'], [undefined, '…'], [null, 'ei leitud']])('of %j cases is a chip with %j', (count, value) => {
    expect(chipsOf(search, types, new Map(), count)).toEqual([{ key: 'caseSelection', name: 'Valim 12', value, clear: { caseSelection: undefined } }])
  })
})

describe('statuses', () => {
  it('asks for open and partially closed by default', () => {
    expect(toFilters(parse({}))).toEqual({ status: ['open', 'partially_closed'] })
  })
  it('asks for all but archived', () => {
    expect(statusesOf({ status: 'all' })).toHaveLength(STATUSES.length - 1)
    expect(statusesOf({ status: 'all' })).not.toContain('archived')
  })
  it('asks for no status at all when the archived ones are wanted too', () => {
    expect(toFilters({ status: 'all', archived: true })).toEqual({})
  })
  it('leads back from each tab to itself', () => {
    for (const tab of TABS) expect(currentTab({ status: tabStatus(tab) })).toBe(tab.key)
  })
  it('is at no tab with a set of its own', () => {
    expect(currentTab({ status: ['open', 'closed'] })).toBeNull()
  })
})

describe('filters', () => {
  it('become what the API takes', () => {
    expect(toFilters({ status: ['open'], debtor: 'private', debtorName: 'Tamm', claimantCode: '123', claimType: [1], min: 100, max: 5000, from: '2024-01-01', until: '2024-12-31', q: 'x', others: true, number: '101/2024/', exists: { taitis_number: false } })).toEqual({
      status: ['open'], number: '101/2024/', 'debtor.type': ['private'], 'debtor.name': 'Tamm', 'claimant.regCode': '123', mainClaimType: [1],
      'balance.cents': { between: '100..5000' }, dateOpened: { after: '2024-01-01', before: '2024-12-31' }, globalSearchTerm: 'x', includeAllBailiffs: true, exists: { taitis_number: false },
    })
  })
  it.each([[{ min: 100 }, { gte: 100 }], [{ max: 100 }, { lte: 100 }], [{ min: 0, max: 0 }, { between: '0..0' }]])('%j bounds the balance by %j', (search, balance) => {
    expect(toFilters(search)['balance.cents']).toEqual(balance)
  })
  it('changed, start at page 1', () => {
    expect(withFilter({ page: 7, sort: 'balance' }, { q: 'x' })).toEqual({ page: undefined, sort: 'balance', q: 'x' })
  })
  it('reset, leave the tab and the sort', () => {
    expect(withoutFilters({ status: 'all', q: 'x', min: 5, page: 3, sort: 'balance', dir: 'asc' })).toEqual({ status: 'all', sort: 'balance', dir: 'asc' })
  })
  it('are counted as the chips are', () => {
    const search: CaseSearch = { status: 'all', q: 'x', min: 1, max: 2, from: '2024-01-01', until: '2024-02-01', exists: { a: true, b: false }, others: true, page: 4, sort: 'balance', claimType: [1, 2, 3] }
    expect(chipsOf(search, types, new Map())).toHaveLength(filterCount(search))
    const own: CaseSearch = { status: ['open', 'closed'], archived: true }
    expect(chipsOf(own, types, new Map()).map((chip) => chip.value)).toEqual(['Menetluses või Lõpetatud', '+ arhiveeritud'])
    expect(filterCount(own)).toBe(2)
    expect(withoutFilters(own)).toEqual({})
    expect(filterCount({ status: ['closed'] })).toBe(0)
    expect(filterCount({ max: 5, until: '2024-01-01' })).toBe(2)
  })
})

describe('in words', () => {
  it('names each filter and its value', () => {
    const said = say(toFilters({ status: 'all', claimType: [1, 3], min: 10000, debtor: 'private', until: '2026-11-27' }), types, new Map())
    expect(said.lead).toBe('Kõik toimikud, v.a arhiveeritud')
    expect(said.clauses.map((clause) => `${clause.before} ${clause.value}`)).toEqual([
      'võlgnik on füüsiline isik', 'põhinõude liik on Võlanõue või Elatis', 'saldo on vähemalt 100,00\u00a0€', 'avamise kuupäev on kuni 27.11.2026',
    ])
  })
  it('says whose cases they are, and fields by their heads', () => {
    const filters = toFilters({ others: true, exists: { delivery_date: true, taitis_number: false } })
    const titles = new Map([['delivery_date', 'Kättetoimetamine'], ['taitis_number', 'Avalduse nr']])
    expect(saidText(filters, types, titles)).toBe('Pooleli toimikud kõigi kohtutäiturite seast, kus väli „Kättetoimetamine“ on olemas ja väli „Avalduse nr“ puudub')
  })
  it('a chip takes only its own filter away', () => {
    const search: CaseSearch = { exists: { a: true, b: false }, q: 'x' }
    const chip = chipsOf(search, types, new Map()).find((one) => one.key === 'exists-a')
    expect({ ...search, ...chip?.clear }).toEqual({ exists: { b: false }, q: 'x' })
  })
})

describe('an empty page', () => {
  it('says why it is empty', () => {
    expect(emptyKind({ page: 999 }, { open: 5 })).toBe('past')
    expect(emptyKind({}, {})).toBe('nothing')
    expect(emptyKind({}, { open: 0 })).toBe('nothing')
    expect(emptyKind({}, { closed: 12 })).toBe('noMatch')
    expect(emptyKind({ q: 'Tamm' }, {})).toBe('noMatch')
    expect(emptyKind({}, undefined)).toBe('noMatch')
  })
})
