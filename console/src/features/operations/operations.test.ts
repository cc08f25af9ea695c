// What is wrong comes worst first, how soon a queue drains, and until when a pause holds.
import { describe, expect, it } from 'vitest'
import type { Overview, Pause, QueueAnswer, RegisterAnswer, WorkerAnswer } from '@/api/operations'
import type { Cron } from '@/features/crons/list'
import { drainOf, rangeWord } from './drain'
import { byHost, headsOf } from './hosts'
import { troubles } from './trouble'
import { endOfDay, parseTime, untilOf } from './until'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const exact = (value: number) => ({ value, kind: 'exact' as const })
const queue = (name: string, state: string, waiting = 0, more: Partial<QueueAnswer> = {}) => ({ name, state, waiting: exact(waiting), drainSeconds: null, pause: null, register: null, workers: { alive: 0, doubtful: 0, lost: 0 }, ...more }) as QueueAnswer
const register = (name: string, state: string, waiting: number) => ({ name, state, waiting: exact(waiting) }) as RegisterAnswer
const pause = (id: number, createdAt: string, endedAt: string | null = null) => ({ id, createdAt, endedAt }) as Pause
const worker = (name: string, state: string, seenAt: string, concurrency: WorkerAnswer['concurrency']) => ({ name, state, seenAt, concurrency }) as WorkerAnswer
const overview = (part: Partial<Omit<Overview, 'workers'>> & { workers?: WorkerAnswer[] }) => ({ queues: [], registers: [], pauses: [], ...part, workers: { member: part.workers ?? [] } }) as unknown as Overview

describe('what is wrong', () => {
  it('is worst first, and within a kind the one with most jobs waiting', () => {
    const found = troubles(overview({
      queues: [queue('cron', 'no_workers', 1), queue('import', 'no_workers', 7), queue('mail', 'stuck', 900), queue('register', 'register_down', 1204, { register: 'tarn' }), queue('bulk', 'working', 3108), queue('interactive', 'ok')],
      registers: [register('ari', 'recovering', 3), register('tarn', 'open', 1204), register('epis', 'open', 2000), register('e_arest', 'closed', 0)],
      pauses: [pause(1, '2026-11-27T08:00:00Z'), pause(2, '2026-11-27T09:00:00Z'), pause(3, '2026-11-27T07:00:00Z', '2026-11-27T07:30:00Z')],
    }))
    expect(found.map((one) => one.key)).toEqual(['register-epis', 'register-tarn', 'workers-import', 'workers-cron', 'stuck-mail', 'pause-2', 'pause-1'])
    expect(found.map((one) => (one.kind === 'register' ? (one.queue?.name ?? null) : null)).slice(0, 2)).toEqual([null, 'register'])
  })
  it('names the lost process of the queue that was seen last', () => {
    const [found] = troubles(overview({
      queues: [queue('import', 'no_workers', 1)],
      workers: [worker('a', 'lost', '2026-11-27T08:00:00Z', { import: 1 }), worker('b', 'lost', '2026-11-27T08:30:00Z', { import: 1 }), worker('c', 'lost', '2026-11-27T09:00:00Z', { bulk: 4 }), worker('d', 'alive', '2026-11-27T09:00:00Z', { import: 1 })],
    }))
    expect(found?.kind === 'no_workers' ? found.lost?.name : null).toBe('b')
  })
  it('is no queue that nobody works on where no job waits and no worker is missed', () => {
    const found = troubles(overview({ queues: [queue('arrest', 'no_workers', 0), queue('mail', 'no_workers', 0, { workers: { alive: 0, doubtful: 0, lost: 1 } }), queue('import', 'no_workers', 1)] }))
    expect(found.map((one) => one.key)).toEqual(['workers-import', 'workers-mail'])
  })
  it('is a cron that is late or was shut by the machine, before pauses, and none that a person has switched off', () => {
    const cron = (id: number, more: Partial<Cron>) => ({ id, name: `cron-${id}`, queue: 'cron', disabled: null, late_since: null, ...more }) as Cron
    const shut = (by: { id: number; name: string } | null) => ({ at: '2026-11-27T08:00:00Z', by, reason: 'Põhjus' })
    const late = '2026-11-27T08:00:00Z'
    const found = troubles(overview({ queues: [queue('mail', 'stuck', 900)], pauses: [pause(1, late)] }), [
      cron(1, { disabled: shut(null) }), cron(2, { disabled: shut({ id: 7, name: 'Madis' }), late_since: late }), cron(3, { late_since: late }), cron(4, {}),
    ])
    expect(found.map((one) => one.key)).toEqual(['stuck-mail', 'cron-1', 'cron-3', 'pause-1'])
  })
  it('is nothing on a good day', () => {
    expect(troubles(overview({ queues: [queue('bulk', 'working', 10), queue('mail', 'ok')], registers: [register('tarn', 'closed', 0)] }))).toEqual([])
  })
})

describe('how soon a queue drains', () => {
  it.each([
    [queue('mail', 'ok', 0), 'kohe', 'quiet'],
    [queue('mail', 'no_workers', 0), 'kohe', 'quiet'],
    [queue('bulk', 'working', 3108, { drainSeconds: 480 }), '6–10 min', 'plain'],
    [queue('mail', 'ok', 14, { drainSeconds: 6.4 }), '7 s', 'plain'],
    [queue('import', 'no_workers', 7, { drainSeconds: 200 }), 'ei tühjene', 'err'],
    [queue('import', 'no_workers', 1), 'ei tühjene', 'err'],
    [queue('arrest', 'paused', 318, { drainSeconds: 45 }), '45 s, kui jätkub', 'quiet'],
    [queue('register', 'register_down', 226, { drainSeconds: 200 }), 'ei tühjene', 'err'],
    [queue('arrest', 'paused', 318), 'ei tühjene', 'quiet'],
  ] as const)('%# %s', (of, word, tone) => {
    const said = drainOf(of)
    expect({ ...said, word: plain(said.word) }).toEqual({ word, tone })
  })
  it.each([[59, '59 s'], [60, '1–2 min'], [3600, '51–72 min'], [7200, '1–3 h'], [36_000, '8–12 h'], [864_000, '8–12 p']])('%d s is said %s', (seconds, said) => {
    expect(plain(rangeWord(seconds))).toBe(said)
  })
})

describe('the end of a pause', () => {
  const now = Date.parse('2026-11-27T08:41:42Z')
  it('ends a day at its midnight, also late in the evening by UTC', () => {
    expect(endOfDay(now)).toBe('2026-11-27T22:00:00.000Z')
    expect(endOfDay(Date.parse('2026-11-27T22:30:00Z'))).toBe('2026-11-28T22:00:00.000Z')
  })
  it.each([
    [{ choice: 'open', day: '', time: '' }, { until: null }],
    [{ choice: 'hour', day: '', time: '' }, { until: '2026-11-27T09:41:42.000Z' }],
    [{ choice: 'at', day: '27.11.2026', time: '12:00' }, { until: '2026-11-27T10:00:00.000Z' }],
    [{ choice: 'at', day: '27.11.2026', time: '10.41' }, { bad: 'past' }],
    [{ choice: 'at', day: '31.11.2026', time: '12:00' }, { bad: 'day' }],
    [{ choice: 'at', day: '28.11.2026', time: '25:00' }, { bad: 'time' }],
  ] as const)('%j is %j', (typed, said) => expect(untilOf(typed, now)).toEqual(said))
  it.each([['9:30', '09:30'], ['930', '09:30'], ['9.05', '09:05'], ['23', '23:00'], ['24:00', null], ['9:60', null], ['', null]])('reads the time %j as %j', (typed, read) => expect(parseTime(typed)).toBe(read))
})

describe('machines', () => {
  it('count what lives, is doubtful or lost, and say apart what the lost took', () => {
    const on = (host: string, one: WorkerAnswer) => ({ ...one, host })
    const hosts = byHost([
      on('too-02', worker('b1', 'alive', '', { bulk: 4, mail: 1 })),
      on('too-01', worker('a1', 'alive', '', { register: 2 })),
      on('too-02', worker('b2', 'lost', '', { bulk: 2, import: 0 })),
      on('too-02', worker('b3', 'stopped', '', { cron: 1 })),
      on('too-02', worker('b4', 'doubtful', '', { mail: 1 })),
    ])
    expect(hosts.map((host) => [host.name, host.counts, host.takes, host.lost])).toEqual([
      ['too-01', { alive: 1, doubtful: 0, lost: 0 }, [{ queue: 'register', jobs: 2, state: 'alive' }], []],
      ['too-02', { alive: 1, doubtful: 1, lost: 1 }, [{ queue: 'bulk', jobs: 4, state: 'alive' }, { queue: 'mail', jobs: 2, state: 'doubtful' }], [{ queue: 'bulk', jobs: 2, state: 'lost' }]],
    ])
    expect(headsOf(hosts.flatMap((host) => host.workers))).toEqual({ living: 3, hosts: 2, lost: 1 })
    expect(hosts[1]?.workers.map((one) => one.name)).toEqual(['b2', 'b4', 'b1', 'b3'])
  })
})
