import { describe, expect, it } from 'vitest'
import { ApiError } from '@/api/errors'
import type { Cron } from '@/features/crons/list'
import { differences, draftOf, metOf, readDraft, typedOf } from './draft'
import { unevaluated } from './evaluation'
import type { AlertRule } from './queries'
import { refusedOf } from './refused'
import { presentWord, ruleLook, ruleWord, valueWord } from './status'
import { daysOf, silencedUntil, weekOf } from './times'
import { verdictOf } from './verdict'
import { barsOf } from './week'

const NOW = Date.parse('2026-11-29T18:00:00Z')
const rule: AlertRule = {
  id: 3, measure: 'oldestWaiting', queue: 'register', register: null, cron: null, cronName: null, bureau: null, threshold: 10, minutes: 5,
  enabled: true, silencedUntil: null, webhookUrl: null, value: 2, breachedSince: null, alert: null, firedAt: null,
  createdBy: { id: 1, name: 'Arvo', role: null, tenantCode: null }, createdAt: '2026-11-29T17:00:00Z', version: 1, allowedActions: [],
}

describe('a rule in words', () => {
  it.each([
    [{}, 'Vanim töö järjekorras Registrid ootab üle 10\u00a0min'],
    [{ bureau: { id: 1, code: '101', name: 'B' } }, 'Vanim töö järjekorras Registrid ootab üle 10\u00a0min, büroo 101'],
    [{ measure: 'failedShare', threshold: 5 }, 'Järjekorras Registrid ebaõnnestub üle 5\u00a0%'],
    [{ measure: 'noConsumers', queue: 'import', threshold: 0 }, 'Järjekorras Import ootab töid, aga keegi ei tööta'],
    [{ measure: 'breakerOpen', queue: null, register: 'tarn' }, 'Täitmisregister ei vasta'],
    [{ measure: 'cronLate', queue: null, threshold: 90 }, 'Mõni ajastatud töö hilineb üle 1\u00a0h 30\u00a0min'],
    [{ measure: 'cronLate', queue: null, cron: 3, cronName: 'archive-tasks' }, 'Vanade tööde arhiivimine hilineb üle 10\u00a0min'],
    [{ measure: 'backlogGrowing', threshold: 1200 }, 'Järjekord Registrid kasvab 15 minutiga üle 1\u00a0200 töö'],
  ] as Array<[Partial<AlertRule>, string]>)('%j', (change, words) => {
    expect(ruleWord({ ...rule, ...change })).toBe(words)
  })
  it('has values with their unit', () => {
    expect([valueWord('oldestWaiting', 23), valueWord('oldestWaiting', 0), valueWord('failedShare', 5.25), valueWord('backlogGrowing', 1), valueWord('backlogGrowing', -4), valueWord('noConsumers', 1), valueWord('breakerOpen', 0), valueWord('cronLate', null)])
      .toEqual(['23\u00a0min', '0\u00a0min', '5,3\u00a0%', '1 töö', '\u22124 tööd', 'jah', 'ei', '–'])
  })
  it('tells what holds now', () => {
    expect([presentWord('cronLate', 23), presentWord('noConsumers', 1), presentWord('noConsumers', 0), presentWord('breakerOpen', 0)])
      .toEqual(['Praegu 23\u00a0min.', 'Praegu ootab töid, aga keegi ei tööta nendega.', 'Praegu ei oota ükski töö ilma töötlejata.', 'Praegu register vastab.'])
  })
})

describe('how a rule stands', () => {
  it.each([
    [{}, 'Korras', undefined],
    [{ value: null }, 'Mõõtmist oodates', undefined],
    [{ breachedSince: '2026-11-29T17:58:00Z' }, 'Lävi ületatud', 'alates 19:58'],
    [{ silencedUntil: '2026-11-29T19:00:00Z', breachedSince: '2026-11-29T17:58:00Z' }, 'Vaigistatud', 'kuni 21:00'],
    [{ silencedUntil: '2026-11-29T17:59:00Z' }, 'Korras', undefined],
    [{ alert: 7, firedAt: '2026-11-29T17:00:00Z' }, 'Häire', 'alates 19:00'],
    [{ alert: 7, firedAt: '2026-11-29T17:00:00Z', silencedUntil: '2026-11-30T06:00:00Z' }, 'Häire', 'alates 19:00 · vaigistatud kuni 30.11.2026 08:00'],
    [{ enabled: false, breachedSince: '2026-11-29T17:58:00Z' }, 'Väljas', undefined],
  ])('%j is %j', (change, word, note) => {
    const look = ruleLook({ ...rule, ...change }, NOW)
    expect([look.word(), look.note]).toEqual([word, note])
  })
  it('is not well where nobody evaluates', () => {
    const stopped = { since: '2026-11-29T17:30:00Z' }
    const said = (change: Partial<AlertRule>) => { const look = ruleLook({ ...rule, ...change }, NOW, stopped); return [look.word(), look.note] }
    expect(said({})).toEqual(['Hindamata', 'alates 19:30'])
    expect(said({ value: null })).toEqual(['Hindamata', 'alates 19:30'])
    expect(said({ enabled: false })).toEqual(['Väljas', undefined])
    expect(said({ alert: 7, firedAt: '2026-11-29T17:00:00Z' })).toEqual(['Häire', 'alates 19:00'])
  })
})

describe('whether anybody evaluates', () => {
  const at = '2026-11-29T17:30:00Z'
  const cron = (more: Partial<Cron>) => ({ id: 4, name: 'evaluate-alerts', disabled: null, late_since: null, running: false, last: null, ...more }) as Cron
  const last = (outcome: string) => ({ outcome }) as NonNullable<Cron['last']>
  it.each([
    [{}, null],
    [{ running: true, last: last('running') }, null],
    [{ late_since: at }, { cron: 4, why: 'late', since: at }],
    [{ disabled: { at, by: null, reason: '' } }, { cron: 4, why: 'shut', since: at }],
    [{ disabled: { at, by: { id: 1, name: 'Madis' }, reason: 'Proov' }, late_since: at }, { cron: 4, why: 'off', since: at }],
    [{ running: true, last: last('skipped') }, { cron: 4, why: 'waiting', since: null }],
  ] as Array<[Partial<Cron>, ReturnType<typeof unevaluated>]>)('%j is %j', (change, said) => expect(unevaluated([cron(change)])).toEqual(said))
  it('is told by that cron alone', () => expect(unevaluated([cron({ name: 'archive-tasks', late_since: at })])).toBeNull())
})

describe('a typed rule', () => {
  const typed = { ...draftOf('oldestWaiting'), queue: 'register' }
  it('goes out as the server takes it', () => {
    expect(readDraft({ ...typed, bureau: '4', webhookUrl: ' https://example.ee/hook ' })).toEqual({
      rule: { measure: 'oldestWaiting', queue: 'register', register: null, cron: null, bureau: 4, threshold: 10, minutes: 5, enabled: true, webhookUrl: 'https://example.ee/hook' },
    })
  })
  it('leaves out what the measure does not have', () => {
    expect(readDraft({ ...draftOf('breakerOpen', { ...typed, bureau: '4' }), register: 'tarn' })).toMatchObject({ rule: { queue: null, bureau: null, register: 'tarn', threshold: 0 } })
    expect(readDraft(draftOf('cronLate', typed))).toMatchObject({ rule: { queue: null, cron: null, threshold: 5 } })
  })
  it.each([
    [{ queue: '' }, ['queue']],
    [{ threshold: '0' }, ['threshold']],
    [{ threshold: '1,5', minutes: '' }, ['threshold', 'minutes']],
    [{ minutes: '1441' }, ['minutes']],
    [{ webhookUrl: 'ftp://x' }, ['webhookUrl']],
    [{ measure: 'failedShare' as const, threshold: '100' }, ['threshold']],
    [{ threshold: '10081' }, ['threshold']],
  ])('%j is not right yet', (change, bad) => {
    const read = readDraft({ ...typed, ...change })
    expect('bad' in read ? Object.keys(read.bad) : null).toEqual(bad)
  })
  it('may tell of any failure at all', () => {
    expect(readDraft({ ...typed, measure: 'failedShare', threshold: '0' })).toMatchObject({ rule: { threshold: 0 } })
  })
  it('of a known rule is the rule', () => {
    expect(readDraft(typedOf(rule))).toMatchObject({ rule: { measure: 'oldestWaiting', queue: 'register', threshold: 10, minutes: 5, webhookUrl: null } })
  })
})

describe('a rule that somebody was faster with', () => {
  const mine = { ...typedOf(rule), threshold: '30', bureau: '4' }
  it('is changed, gone, or as it was', () => {
    const now = { ...rule, version: 2 }
    expect(metOf(rule, mine, [now])).toEqual({ kind: 'changed', now, mine, loaded: false })
    expect(metOf(rule, mine, [{ ...now, id: 4 }])).toEqual({ kind: 'gone' })
    expect(metOf(rule, mine, [rule])).toBeNull()
  })
  it('differs in what either of the two has', () => {
    const names = (draft: typeof mine, change: Partial<AlertRule>) => differences(draft, { ...rule, ...change }).map((one) => [one.name, one.mine, one.now])
    expect(names(mine, { threshold: 20, minutes: 1 })).toEqual([['bureau', '4', ''], ['threshold', '30', '20'], ['minutes', '5', '1']])
    expect(names(typedOf(rule), {})).toEqual([])
    expect(names(draftOf('breakerOpen', { ...typedOf(rule), register: 'tarn' }), { enabled: false }).map(([name]) => name)).toEqual(['measure', 'register', 'threshold', 'minutes', 'enabled'])
  })
})

describe('what the server refuses', () => {
  const off = { propertyPath: 'webhookUrl', message: 'Veebihaagid ei ole lubatud.' }
  const other = { propertyPath: 'threshold', message: 'Liiga suur.' }
  const error = (...violations: Array<typeof off>) => new ApiError(422, violations.map(({ message }) => message), violations, null, 0)
  const said = (found: ReturnType<typeof refusedOf>) => [found.webhook, found.rest instanceof ApiError ? found.rest.lines : found.rest]
  it('is said at the address it is about until that is changed, and the rest apart', () => {
    expect(said(refusedOf(error(off), true))).toEqual([off.message, null])
    expect(said(refusedOf(error(off), false))).toEqual([null, null])
    expect(said(refusedOf(error(off, other), true))).toEqual([off.message, ['Liiga suur.']])
    expect(said(refusedOf(error(), true))).toEqual([null, []])
    expect(said(refusedOf(null, true))).toEqual([null, null])
  })
})

describe('what a rule would have done', () => {
  const to = '2026-11-29T18:00:00Z'
  const week = 'Viimase nädala jooksul ei oleks kordagi rakendunud'
  it.each([
    ['2026-11-22T18:00:00Z', 0, null, week],
    ['2026-11-22T19:00:00Z', 0, null, week],
    ['2026-11-22T18:00:00Z', 1, null, 'Oleks viimase nädala jooksul rakendunud 1 kord'],
    ['2026-11-22T19:01:00Z', 0, 'Andmed algavad 22.11.2026 21:01.', 'Sellest ajast ei oleks kordagi rakendunud'],
    ['2026-11-29T17:59:00Z', 0, 'Andmed algavad 29.11.2026 19:59.', 'Sellest ajast ei oleks kordagi rakendunud'],
    ['2026-11-28T18:15:00Z', 1200, 'Andmed algavad 28.11.2026 20:15.', 'Oleks sellest ajast rakendunud 1\u00a0200 korda'],
    [to, 0, null, 'Mõõtmisi veel ei ole, seepärast ei ole teada, kas reegel oleks rakendunud'],
  ])('of figures since %s, fired %i times', (from, fired, begins, sentence) => {
    expect(verdictOf({ from, to, fired })).toEqual({ begins, sentence })
  })
  it('is told by Tallinn’s clock on both sides of its change', () => {
    expect(verdictOf({ from: '2026-10-25T00:30:00Z', to: '2026-10-25T02:00:00Z', fired: 0 }).begins).toBe('Andmed algavad 25.10.2026 03:30.')
    expect(verdictOf({ from: '2026-10-24T23:30:00Z', to: '2026-10-25T02:00:00Z', fired: 0 }).begins).toBe('Andmed algavad 25.10.2026 02:30.')
  })
})

describe('times', () => {
  it('of silence are Tallinn’s, also over a change of the clock', () => {
    expect(silencedUntil('hour', NOW)).toBe('2026-11-29T19:00:00.000Z')
    expect(silencedUntil('morning', NOW)).toBe('2026-11-30T06:00:00.000Z')
    expect(silencedUntil('morning', Date.parse('2026-11-29T22:30:00Z'))).toBe('2026-12-01T06:00:00.000Z')
    expect(silencedUntil('morning', Date.parse('2027-03-27T12:00:00Z'))).toBe('2027-03-28T05:00:00.000Z')
    expect(silencedUntil('week', NOW)).toBe('2026-12-06T18:00:00.000Z')
  })
  it('make a week whole', () => {
    const week = weekOf([{ at: '2026-11-29T18:00:00Z', peak: 3 }, { at: '2026-11-29T16:00:00Z', peak: 0 }, { at: '2026-11-01T00:00:00Z', peak: 9 }], '2026-11-29T18:41:00Z')
    expect([week.length, week[0]?.at, week.slice(-3)]).toEqual([168, '2026-11-22T19:00:00.000Z', [
      { at: '2026-11-29T16:00:00.000Z', peak: 0 }, { at: '2026-11-29T17:00:00.000Z', peak: null }, { at: '2026-11-29T18:00:00.000Z', peak: 3 },
    ]])
  })
  it('of a week are told at its midnights', () => {
    const hours = Array.from({ length: 48 }, (_, hour) => ({ at: new Date(NOW + hour * 3_600_000).toISOString() }))
    expect(daysOf(hours)).toEqual([{ index: 4, word: '30.11.' }, { index: 28, word: '01.12.' }])
  })
})

describe('bars', () => {
  const hours = (...peaks: Array<number | null>) => peaks.map((peak) => ({ at: '', peak }))
  it('stand to one scale with the threshold', () => {
    expect(barsOf(hours(0, 10, 40, null, 0.01), 20, 40)).toEqual({
      bars: [{ height: 0, over: false }, { height: 10, over: false }, { height: 40, over: true }, null, { height: 1.5, over: false }], line: 20,
    })
  })
  it('leave room above a threshold that nothing reached', () => {
    expect(barsOf(hours(0, 0), 20, 50).line).toBe(10)
    expect(barsOf(hours(), 0, 50)).toEqual({ bars: [], line: 50 })
  })
})
