// States and sums of operator actions.
import { describe, expect, it } from 'vitest'
import type { OperatorPreview } from '@/api/operations'
import { actionLook, ended, partsOf } from './status'
import { isTyped, mustType, processedText, takenOf } from './sums'
import { kindLook } from './texts'

const counts = { waiting: 10, sent: 5, done: 60, failed: 20, skipped: 5 }
const preview = (part: Partial<OperatorPreview>): OperatorPreview => ({ count: { value: 25_000, kind: 'exact' }, sample: [], skipped: [{ reason: 'running', text: 'töö käib', count: 300 }, { reason: 'unknown', text: 'tulemus teadmata', count: 4 }], skippedCount: { value: 304, kind: 'exact' }, typed: false, ...part })

describe('counts', () => {
  it('add up to the whole', () => {
    expect(ended(counts)).toBe(85)
    expect(partsOf(counts).reduce((sum, part) => sum + part.count, 0)).toBe(100)
  })
})

describe('a preview', () => {
  it('tells what is taken from what is skipped', () => {
    expect(takenOf(preview({}))).toBe(24_696)
    expect(processedText(preview({}))).toBe('Ette võetakse 24\u00a0696, vahele jääb 304')
    expect(processedText(preview({ skippedCount: { value: 304, kind: 'at_least' } }))).toBe('Ette võetakse kuni 24\u00a0696, vahele jääb 304+')
    expect(processedText(preview({ skippedCount: { value: 0, kind: 'exact' } }))).toBe('Ette võetakse kõik 25\u00a0000')
  })
  it('asks for the number above a thousand, or when the server does', () => {
    expect([mustType(preview({})), mustType(preview({ count: { value: 1_000, kind: 'exact' } })), mustType(preview({ count: { value: 3, kind: 'exact' }, typed: true }))]).toEqual([true, false, true])
    expect([isTyped('25 000', preview({})), isTyped('25000', preview({})), isTyped('2500', preview({})), isTyped('', preview({}))]).toEqual([true, true, false, false])
  })
})

describe('words', () => {
  it('name verb and number', () => {
    expect([kindLook.retry.verb('1', 1), kindLook.retry.verb('25\u00a0000', 25_000), kindLook.cancel.verb('2', 2)]).toEqual(['Korda 1 töö', 'Korda 25\u00a0000 tööd', 'Katkesta 2 tööd'])
  })
  it('tell a paused and a stopping action from a running one', () => {
    const at = '2026-11-27T10:00:00Z'
    const counts = { waiting: 0, sent: 0, done: 0, skipped: 0, failed: 0 }
    const word = (status: 1 | 4, pausedAt: string | null, stoppedAt: string | null) => actionLook({ status, pausedAt, stoppedAt, counts, total: 3 }).word()
    expect([word(1, null, null), word(1, at, null), word(1, at, at), word(4, null, at)]).toEqual(['Töös', 'Peatatud', 'Lõpetamisel', 'Lõpetatud pooleli'])
  })
  it('tell all from some', () => {
    const word = (status: 3 | 5, failed: number, skipped: number) => actionLook({ status, pausedAt: null, stoppedAt: null, counts: { waiting: 0, sent: 0, done: 3 - failed - skipped, skipped, failed }, total: 3 }).word()
    expect([word(3, 3, 0), word(3, 1, 2), word(5, 0, 3), word(5, 0, 1)]).toEqual(['Kõik ebaõnnestusid', 'Osa ebaõnnestus', 'Kõik jäid vahele', 'Osa jäi vahele'])
  })
})
