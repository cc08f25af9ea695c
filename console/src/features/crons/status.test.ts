import { describe, expect, it } from 'vitest'
import { delayMs, edgeOf, lastedMs, looksOf, outcomeOf } from './status'

const well = { disabled: null, late_since: null, running: false, failures: 0, decided_at: '2026-11-29T02:15:00Z' }
const words = (cron: Parameters<typeof looksOf>[0]) => looksOf(cron).map((look) => look.word())
const person = { id: 7, name: 'Madis' }

describe('a cron', () => {
  it.each([
    [{}, ['Korras'], undefined],
    [{ decided_at: null }, ['Ajastit oodates'], undefined],
    [{ running: true, failures: 2 }, ['Töös', '2 tõrget järjest'], undefined],
    [{ failures: 1 }, ['1 tõrge järjest'], 'warn'],
    [{ late_since: '2026-11-29T02:15:00Z', running: true }, ['Hilineb', 'Töös'], 'err'],
    [{ disabled: { at: '', by: person, reason: 'Hooldus' }, failures: 1 }, ['Välja lülitatud', '1 tõrge järjest'], 'warn'],
    [{ disabled: { at: '', by: null, reason: '3 järjest' }, failures: 3 }, ['Suletud tõrgete tõttu'], 'err'],
  ])('%j is %j', (change, said, edge) => {
    expect(words({ ...well, ...change })).toEqual(said)
    expect(edgeOf({ ...well, ...change })).toBe(edge)
  })
})

describe('a firing', () => {
  it('lasts until it ends, or until now', () => {
    expect(lastedMs({ duration_ms: 0, outcome: 'ok', started_at: '2026-11-29T02:15:00Z' }, 0)).toBe(0)
    expect(lastedMs({ duration_ms: null, outcome: 'running', started_at: '2026-11-29T02:15:00Z' }, Date.parse('2026-11-29T02:15:04Z'))).toBe(4000)
    expect(lastedMs({ duration_ms: null, outcome: 'waiting', started_at: null }, 0)).toBeNull()
  })
  it('has a delay only where it had a time', () => {
    const run = { scheduled_at: '2026-11-29T02:15:00Z', fired_at: '2026-11-29T02:16:30Z', ordered_by: null, outcome: 'ok' }
    expect(delayMs(run)).toBe(90_000)
    expect(delayMs({ ...run, ordered_by: person })).toBeNull()
    expect(delayMs({ ...run, outcome: 'missed' })).toBeNull()
  })
  it('of an unknown outcome is said as it is written', () => {
    expect(outcomeOf({ outcome: 'moved' }).word()).toBe('moved')
    expect(outcomeOf({ outcome: 'skipped' }).word()).toBe('Jäeti vahele')
  })
})
