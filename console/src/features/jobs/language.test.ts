// The filter's language: what it reads, where it objects, that writing and reading agree, what it suggests.
import { afterEach, describe, expect, it } from 'vitest'
import type { JobFilter } from '@/api/operations'
import { setLanguage } from '@/lib/texts'
import { searchSchema } from './job-search'
import { parse, problemSentence } from './parse'
import { accept, suggest } from './suggest'
import { write } from './write'

afterEach(() => {
  ;(globalThis as { document?: unknown }).document ??= { documentElement: {} }
  setLanguage('et')
})

function english() {
  ;(globalThis as { document?: unknown }).document ??= { documentElement: {} }
  setLanguage('en')
}

describe('reading', () => {
  it.each<[string, JobFilter]>([
    ['', {}],
    ['järjekord:register olek:ebaõnnestunud büroo:101', { queue: ['register'], state: ['failed'], bureau: '101' }],
    ['queue:register state:failed bureau:101', { queue: ['register'], state: ['failed'], bureau: '101' }],
    ['JARJEKORD:Registrid OLEK:ebaonnestunud', { queue: ['register'], state: ['failed'] }],
    ['olek:ebaõnnestunud,hoiatusega olek:töös', { state: ['failed', 'warning', 'running'] }],
    ['olek:failed olek:failed', { state: ['failed'] }],
    ['toimik:101/2025/3307 masstegevus:12 hulgitegevus:3', { caseNumber: '101/2025/3307', bulkAction: 12, operatorAction: 3 }],
    ['võlgnik:"Mari Maasikas" täitur:tamm', { debtor: 'Mari Maasikas', bailiff: 'tamm' }],
    ['viga:"503" sisend:abc liik:SyncToRegister,Probe', { error: '503', payload: 'abc', kind: ['SyncToRegister', 'Probe'] }],
    ['viga:503,504', { error: '503,504' }],
    ['võlgnik:"Mari \\"Mann\\" \\\\"', { debtor: 'Mari "Mann" \\' }],
    ['loodud:>2026-11-01', { createdAt: { after: '2026-11-01' } }],
    ['loodud:>=1.11.2026', { createdAt: { after: '2026-11-01' } }],
    ['alustatud:<2026-11-01T10:30', { startedAt: { before: '2026-11-01T10:30' } }],
    ['lõpetatud:1.11.2026..3.11.2026', { finishedAt: { after: '2026-11-01', before: '2026-11-03' } }],
    ['lõpetatud:2026-11-01', { finishedAt: { after: '2026-11-01', before: '2026-11-01' } }],
    ['lõpetatud:2026-11-01T09:00..1.11.2026', { finishedAt: { after: '2026-11-01T09:00', before: '2026-11-01' } }],
    ['loodud:..1.11.2026T12:00', { createdAt: { before: '2026-11-01T12:00' } }],
    ['Mari   Maasikas', { search: 'Mari Maasikas' }],
    ['büroo:101 ajalõpp 10:30', { bureau: '101', search: 'ajalõpp 10:30' }],
    ['"olek: ootel"', { search: 'olek: ootel' }],
  ])('%s', (text, filter) => {
    expect(parse(text)).toEqual({ filter, problems: [] })
  })
})

describe('objecting', () => {
  it.each<[string, string, string]>([
    ['olek:ebaõnnestunud foo:bar', 'foo', 'no_field'],
    ['büroo:', 'büroo:', 'no_value'],
    ['olek:', '', 'no_value'],
    ['olek:ebaõnnestunud,valmis', 'valmis', 'bad_state'],
    ['järjekord:regster', 'regster', 'bad_queue'],
    ['liik:9x', '9x', 'bad_kind'],
    ['masstegevus:0', '0', 'bad_number'],
    ['toimik:101/', '101/', 'bad_case'],
    ['loodud:eile', 'eile', 'bad_date'],
    ['loodud:31.2.2026', '31.2.2026', 'bad_date'],
    ['loodud:..', '..', 'bad_date'],
    ['loodud:3.11.2026..1.11.2026', '3.11.2026..1.11.2026', 'bad_order'],
    ['büroo:101 büroo:102', 'büroo:102', 'twice'],
    ['võlgnik:"Mari Maas', '"Mari Maas', 'open_quote'],
    ['võlgnik:"Mari"Maasikas olek:ok', 'võlgnik:"Mari"Maasikas', 'after_quote'],
    [`viga:${'a'.repeat(201)}`, 'a'.repeat(201), 'too_long'],
  ])('%s', (text, where, code) => {
    const [problem, ...more] = parse(text).problems
    expect(more).toEqual([])
    expect(problem && [text.slice(problem.from, problem.to), problem.code]).toEqual([where, code])
  })
  it('says where and what, in words', () => {
    const [problem] = parse('büroo:101 olek:valmis').problems
    expect(problem && problemSentence(problem)).toBe('Kohal 16: olekut „valmis“ ei ole.')
  })
  it('keeps what it could read beside what it could not', () => {
    expect(parse('büroo:101 olek:valmis').filter).toEqual({ bureau: '101', state: [] })
  })
})

describe('writing', () => {
  const filters: JobFilter[] = [
    {},
    { state: ['failed', 'dispatched'], queue: ['interactive', 'mail'], kind: ['SyncToRegister', 'Probe'] },
    { bureau: '101', bailiff: 'Tamm', caseNumber: '101/2025/3307', debtor: 'Mari Maasikas', bulkAction: 12, operatorAction: 3, errorGroup: 'a1b2', error: '503 Service', payload: '"nimi": "x\\y"' },
    { createdAt: { after: '2026-11-01' }, startedAt: { before: '2026-11-01T10:30' }, finishedAt: { after: '2026-11-01', before: '2026-11-03' } },
    { createdAt: { after: '2026-11-01', before: '2026-11-01' }, startedAt: { after: '2026-11-26T22:00:00.000Z', before: '2026-11-27T21:59:59.999Z' } },
    { search: 'Mari Maasikas' }, { search: 'olek:ok' }, { search: '"jutumärk" ja \\' }, { search: 'kaks  tühikut' }, { search: '101/2025/3307', bureau: '101' },
    { debtor: '"Mari"' }, { error: 'a,b' }, { payload: '\\' },
  ]
  it.each(filters.flatMap((filter) => [[filter, 'et'], [filter, 'en']] as const))('%j in %s is read back the same', (filter, lang) => {
    if (lang === 'en') english()
    expect(parse(write(filter))).toEqual({ filter, problems: [] })
  })
  it.each(filters)('%j stands in an address', (filter) => {
    expect(searchSchema.parse(filter)).toEqual(filter)
  })
  it('speaks the language of the person', () => {
    expect(write({ state: ['failed'], queue: ['mail'], createdAt: { after: '2026-11-01' }, search: 'x y' })).toBe('järjekord:kirjad olek:ebaõnnestunud loodud:>2026-11-01 x y')
    english()
    expect(write({ state: ['failed'], queue: ['mail'] })).toBe('queue:mail state:failed')
  })
})

describe('suggesting', () => {
  const words = (text: string, caret = text.length) => suggest(text, caret, Date.parse('2026-11-27T10:00:00Z')).map((one) => one.word)
  it.each<[string, string[]]>([
    ['jär', ['järjekord:']],
    ['vo', ['võlgnik:']],
    ['büroo:101 l', ['liik:', 'loodud:', 'lõpetatud:']],
    ['olek:eba', ['ebaõnnestunud']],
    ['olek:ok,h', ['hoiatusega']],
    ['queue:re', ['register']],
    ['liik:sünk', ['SyncToRegister']],
    ['loodud:', ['2026-11-27', '>2026-11-26', '>2026-11-21', '<2026-11-26']],
    ['võlgnik:Ma', []],
    ['"vaba', []],
    ['foo:', []],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })
  it('offers every field after a blank', () => {
    expect(words('büroo:101 ')).toHaveLength(15)
  })
  it('puts the chosen one where the caret stands', () => {
    const [first] = suggest('olek:eba büroo:101', 8)
    expect(first && accept('olek:eba büroo:101', first)).toEqual({ text: 'olek:ebaõnnestunud büroo:101', caret: 19 })
    const [field] = suggest('jär', 3)
    expect(field && accept('jär', field)).toEqual({ text: 'järjekord:', caret: 10 })
    const [second] = suggest('olek:ok,ho', 10)
    expect(second && accept('olek:ok,ho', second)).toEqual({ text: 'olek:ok,hoiatusega ', caret: 19 })
  })
})
