// The story of a job.
import { describe, expect, it } from 'vitest'
import type { Attempt, WholeJob } from '@/api/operations'
import { longest, timelineOf, totalMs } from './timeline'

const at = (second: number) => new Date(Date.UTC(2026, 10, 27, 8, 0, second)).toISOString()
const attempt = (run: number, from: number, to: number, outcome: Attempt['outcome'] = 'failed'): Attempt => ({ run, outcome, startedAt: at(from), finishedAt: at(to), worker: 'w', errorCode: null, error: null })
const event = (action: string, second: number) => ({ at: at(second), action, who: 'Mari', role: 'dev' as const, reason: null, after: null })
const story = (job: Partial<WholeJob>) =>
  timelineOf({ createdAt: at(0), attempts: [], attemptsTotal: job.attempts?.length ?? 0, events: [], ...job }).map((entry) => {
    if (entry.kind === 'attempt') return `${entry.attempt.run}: ${entry.ms / 1000} s`
    if (entry.kind === 'wait') return `wait ${entry.ms / 1000} s ${entry.after}`
    if (entry.kind === 'event') return entry.event.action
    return entry.kind === 'hidden' ? `hidden ${entry.count}` : 'created'
  })

describe('the story of a job', () => {
  it('goes from the newest attempt to the beginning, with the waits between', () => {
    expect(story({ attempts: [attempt(3, 50, 54), attempt(2, 15, 45, 'retry'), attempt(1, 2, 3, 'retry')] })).toEqual(['3: 4 s', 'wait 5 s retry', '2: 30 s', 'wait 12 s retry', '1: 1 s', 'wait 2 s first', 'created'])
  })
  it('counts a wait from the act that began it', () => {
    expect(story({ attempts: [attempt(2, 50, 51, 'ok'), attempt(1, 2, 3)], events: [event('create', 0), event('unmask', 30), event('retry', 47)] })).toEqual(['2: 1 s', 'wait 3 s act', 'retry', 'unmask', '1: 1 s', 'wait 2 s first', 'created'])
  })
  it('says how many attempts are not shown, and guesses no wait before them', () => {
    expect(story({ attempts: [attempt(9, 5, 6)], attemptsTotal: 9 })).toEqual(['9: 1 s', 'hidden 8', 'created'])
  })
  it('says nothing of a wait that is none', () => {
    expect(story({ attempts: [attempt(1, 0, 1)] })).toEqual(['1: 1 s', 'created'])
  })
})

it('scales to the longest and sums up from the first start to the last end', () => {
  const attempts = [attempt(2, 10, 14), attempt(1, 2, 3)]
  expect(longest(timelineOf({ createdAt: at(0), attempts, attemptsTotal: 2, events: [] }), 0)).toBe(4_000)
  expect(longest([], 9_000)).toBe(9_000)
  expect(totalMs({ attempts, state: 'failed' }, at(10), Date.parse(at(99)))).toBe(12_000)
  expect(totalMs({ attempts, state: 'running' }, at(20), Date.parse(at(25)))).toBe(23_000)
  expect(totalMs({ attempts: [], state: 'queued' }, null, 0)).toBe(0)
})
