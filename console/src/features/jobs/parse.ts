// Reads a filter written as text: `järjekord:register olek:ebaõnnestunud võlgnik:"Mari Maasikas" 503`; pure.
import type { JobFilter, Range } from '@/api/operations'
import { parseDay } from '@/lib/format'
import { instants } from './filters'
import { isMoment } from './job-search'
import { problemText, type ProblemCode } from './problem-texts'
import { type Field, fieldOf, fields, queueOf, stateOf } from './vocabulary'

/** What is wrong, from which letter to which. */
export type Problem = { from: number; to: number; code: ProblemCode; what: string }
export type Parsed = { filter: JobFilter; problems: Problem[] }

/** A piece of text between blanks; `key` where it is written as key:value. */
export type Token = { from: number; to: number; key: string | null; valueFrom: number; parts: Part[]; open: boolean; tail: boolean }
export type Part = { from: number; to: number; value: string }

const KEY = /[\p{L}_]+:/uy
const BLANK = /\s/
const CASE = /^\w{1,16}\/\d{4}\/\d{1,9}$/
const WHOLE = /\S*/uy
const LISTED = /[^\s,]*/uy

/** One value at `at`: in quotes, where \" and \\ stand for themselves, or up to a blank (or a comma between values). */
function readPart(text: string, at: number, commas: boolean): { part: Part; next: number; open: boolean } {
  if (text[at] !== '"') {
    const run = commas ? LISTED : WHOLE
    run.lastIndex = at
    const value = run.exec(text)?.[0] ?? ''
    return { part: { from: at, to: at + value.length, value }, next: at + value.length, open: false }
  }
  let value = ''
  for (let now = at + 1; now < text.length; now++) {
    const letter = text[now] ?? ''
    if (letter === '"') return { part: { from: at, to: now + 1, value }, next: now + 1, open: false }
    if (letter === '\\' && (text[now + 1] === '"' || text[now + 1] === '\\')) now++
    value += text[now] ?? ''
  }
  return { part: { from: at, to: text.length, value }, next: text.length, open: true }
}

function isList(key: string): boolean {
  const field = fieldOf(key)
  return field !== undefined && ['states', 'queues', 'kinds'].includes(fields[field].type)
}

/** Cuts the text where it has blanks outside quotes. */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  let at = 0
  while (at < text.length) {
    if (BLANK.test(text[at] ?? '')) {
      at++
      continue
    }
    KEY.lastIndex = at
    const key = KEY.exec(text)?.[0].slice(0, -1) ?? null
    const valueFrom = key === null ? at : at + key.length + 1
    const commas = key !== null && isList(key)
    const parts: Part[] = []
    let next = valueFrom
    let open = false
    for (let more = true; more;) {
      const read = readPart(text, next, commas)
      parts.push(read.part)
      next = read.next
      open = read.open
      more = commas && text[next] === ','
      if (more) next++
    }
    const tail = next < text.length && !BLANK.test(text[next] ?? '')
    found.push({ from: at, to: next, key, valueFrom, parts, open, tail })
    at = next
    // What sticks to a closing quote belongs to the same piece.
    if (tail) {
      while (at < text.length && !BLANK.test(text[at] ?? '')) at++
      found[found.length - 1] = { from: found.at(-1)?.from ?? 0, to: at, key, valueFrom, parts, open, tail }
    }
  }
  return found
}

function readMoment(typed: string): string | null {
  if (isMoment(typed)) return typed
  const [date = '', time] = typed.split(/T(?=\d)/)
  const day = parseDay(date) ?? date
  const whole = time === undefined ? day : `${day}T${time}`
  return isMoment(whole) ? whole : null
}

/** ">2026-11-01" from that day on, "<…" until it, "a..b" both, a day alone that day. */
export function readRange(typed: string): Range | null {
  const bound = /^([<>])=?(.+)$/.exec(typed)
  if (bound) {
    const at = readMoment(bound[2] ?? '')
    if (at === null) return null
    return bound[1] === '>' ? { after: at } : { before: at }
  }
  const cut = typed.indexOf('..')
  if (cut < 0) {
    const day = readMoment(typed)
    return day === null ? null : { after: day, before: day }
  }
  const [after, before] = [typed.slice(0, cut), typed.slice(cut + 2)].map((side) => (side === '' ? undefined : readMoment(side)))
  if (after === null || before === null || (after === undefined && before === undefined)) return null
  return { ...(after ? { after } : {}), ...(before ? { before } : {}) }
}

function backwards(range: Range): boolean {
  const { after, before } = instants(range)
  return after !== undefined && before !== undefined && Date.parse(after) > Date.parse(before)
}

class Reader {
  readonly filter: JobFilter = {}
  readonly problems: Problem[] = []
  private readonly words: string[] = []
  private readonly seen = new Set<Field>()

  private bad(of: { from: number; to: number }, code: ProblemCode, what = ''): void {
    this.problems.push({ from: of.from, to: of.to, code, what })
  }

  private list<T>(parts: Part[], before: T[] | undefined, read: (word: string) => T | undefined, code: ProblemCode): T[] {
    const values = new Set(before)
    for (const part of parts) {
      const value = read(part.value)
      if (value === undefined) this.bad(part, part.value ? code : 'no_value', part.value)
      else values.add(value)
    }
    return [...values]
  }

  private set(field: Field, token: Token): void {
    const first = token.parts[0] ?? { from: token.from, to: token.to, value: '' }
    const { filter } = this
    const type = fields[field].type
    if (type === 'states') filter.state = this.list(token.parts, filter.state, stateOf, 'bad_state')
    else if (type === 'queues') filter.queue = this.list(token.parts, filter.queue, queueOf, 'bad_queue')
    else if (type === 'kinds') filter.kind = this.list(token.parts, filter.kind, (word) => (/^[A-Za-z]\w{0,63}$/.test(word) ? word : undefined), 'bad_kind')
    else if (this.seen.has(field)) this.bad(token, 'twice', token.key ?? '')
    else if (first.value.trim() === '') this.bad(token, 'no_value', token.key ?? '')
    else if (type === 'number') {
      if (/^[1-9]\d{0,14}$/.test(first.value)) Object.assign(filter, { [field]: Number(first.value) })
      else this.bad(first, 'bad_number', first.value)
    } else if (type === 'range') {
      const range = readRange(first.value)
      if (range === null) this.bad(first, 'bad_date', first.value)
      else if (backwards(range)) this.bad(first, 'bad_order', first.value)
      else Object.assign(filter, { [field]: range })
    } else if (type === 'case' && !CASE.test(first.value.trim())) this.bad(first, 'bad_case', first.value)
    else if (first.value.trim().length > 200) this.bad(first, 'too_long')
    else Object.assign(filter, { [field]: first.value.trim() })
    this.seen.add(field)
  }

  read(token: Token): void {
    if (token.open) return this.bad(token.parts.at(-1) ?? token, 'open_quote')
    if (token.tail) return this.bad(token, 'after_quote')
    const field = token.key === null ? undefined : fieldOf(token.key)
    if (field !== undefined) this.set(field, token)
    else if (token.key !== null) this.bad({ from: token.from, to: token.from + token.key.length }, 'no_field', token.key)
    else this.words.push(token.parts[0]?.value ?? '')
  }

  end(): void {
    const search = this.words.join(' ').trim()
    if (search.length > 200) this.problems.push({ from: 0, to: 0, code: 'too_long', what: '' })
    else if (search) this.filter.search = search
  }
}

/** The filter that the text says, and what in it cannot be understood. */
export function parse(text: string): Parsed {
  const reader = new Reader()
  for (const token of tokens(text)) reader.read(token)
  reader.end()
  return { filter: reader.filter, problems: reader.problems }
}

/** "Kohal 11: …": what is wrong and where, letters counted from 1. */
export function problemSentence(problem: Problem): string {
  return problemText(problem.code, problem.what, problem.from + 1)
}
