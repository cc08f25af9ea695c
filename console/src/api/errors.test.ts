// The error bodies of both generations of the API.
import { describe, expect, it } from 'vitest'
import { messageLines, readError, sentence } from './errors'

const headers = (values: Record<string, string> = {}) => new Headers(values)

describe('errors', () => {
  it('give one line per violation', () => {
    const error = readError(422, { detail: 'a: b', violations: [{ propertyPath: 'a', message: 'Viitenumber puudub.' }, { propertyPath: 'b', message: 'Summa peab olema positiivne.' }] }, headers())
    expect(error.lines).toEqual(['Viitenumber puudub.', 'Summa peab olema positiivne.'])
  })
  it('lay a JSON message out line by line', () => {
    expect(messageLines('{"start_fee":"liiga suur","referenceNo":"puudub"}')).toEqual(['alustamise tasu: liiga suur', 'viitenumber: puudub'])
    expect(messageLines({ tundmatu: 'liiga suur' })).toEqual(['tundmatu: liiga suur'])
    expect(sentence(readError(400, { message: { amount: 'liiga suur', date: 'puudub' } }, headers()), 'x')).toBe('summa: liiga suur\nkuupäev: puudub')
  })
  it('leave a message that only looks like JSON', () => {
    expect(messageLines('{katki')).toEqual(['{katki'])
  })
  it('remember the request and when to come back', () => {
    const error = readError(429, { message: 'Oota' }, headers({ 'retry-after': '7', 'x-request-id': 'abc' }))
    expect([error.retryAfterMs, error.requestId]).toEqual([7_000, 'abc'])
  })
  it('say nothing of the server’s own faults', () => {
    expect(sentence(readError(500, { message: 'panic at x.rs' }, headers()), 'Toimikute laadimine ebaõnnestus')).toBe('Toimikute laadimine ebaõnnestus')
    expect(sentence(readError(403, null, headers()), 'x')).toBe('Puuduvad piisavad õigused')
    expect(sentence(readError(409, { message: 'Tegevus juba käib' }, headers()), 'x')).toBe('Tegevus juba käib')
  })
})
