// What may be written at the caret: fields, and the values of those that have few; pure.
import { isoDay } from '@/lib/format'
import { text } from '@/lib/texts'
import { tokens } from './parse'
import { fieldOf, FIELDS, fields, fold, queues, said, states } from './vocabulary'
import { kindWords } from './status'

export type Suggestion = { key: string; /** What replaces the text from `from` to `to`. */ insert: string; from: number; to: number; word: string; hint: string }

const DAY_MS = 86_400_000
const hints = {
  states: text('üks või mitu olekut', 'one state or several'),
  queues: text('üks või mitu järjekorda', 'one queue or several'),
  kinds: text('üks või mitu liiki', 'one kind or several'),
  text: text('tekst; tühikutega jutumärkides', 'text; with blanks in quotes'),
  case: text('number kujul 101/2025/3307', 'a number such as 101/2025/3307'),
  number: text('number', 'number'),
  range: text('kuupäev, > alates, < kuni, .. vahemik', 'date, > from, < until, .. range'),
}
const spans = { today: text('täna', 'today'), since: text('eilsest', 'since yesterday'), week: text('viimased 7 päeva', 'the last 7 days'), before: text('kuni eilseni', 'until yesterday') }

function starts(prefix: string, ...names: string[]): boolean {
  return names.some((name) => fold(name).startsWith(fold(prefix)))
}

function fieldSuggestions(prefix: string, from: number, to: number): Suggestion[] {
  return FIELDS.filter((field) => starts(prefix, fields[field].et, fields[field].en, ...(fields[field].also ?? []))).map((field) => ({
    key: field, insert: `${said(fields[field])}:`, from, to, word: `${said(fields[field])}:`, hint: hints[fields[field].type](),
  }))
}

function rangeSuggestions(from: number, to: number, now: number): Suggestion[] {
  const today = isoDay(now)
  const yesterday = isoDay(now - DAY_MS)
  const all: Array<[string, string]> = [[today, spans.today()], [`>${yesterday}`, spans.since()], [`>${isoDay(now - 6 * DAY_MS)}`, spans.week()], [`<${yesterday}`, spans.before()]]
  return all.map(([word, hint]) => ({ key: word, insert: `${word} `, from, to, word, hint }))
}

/** At most this many: a list to read at a glance. */
const MOST = 15

export function suggest(typed: string, caret: number, now: number = Date.now()): Suggestion[] {
  const token = tokens(typed).find((one) => one.from <= caret && caret <= one.to)
  if (!token) return fieldSuggestions('', caret, caret)
  if (token.key === null) return token.parts[0]?.value.startsWith('"') || typed[token.from] === '"' ? [] : fieldSuggestions(typed.slice(token.from, caret), token.from, token.to)
  if (caret < token.valueFrom) return fieldSuggestions(typed.slice(token.from, caret), token.from, token.valueFrom)
  const field = fieldOf(token.key)
  if (field === undefined) return []
  const part = token.parts.find((one) => one.from <= caret && caret <= one.to)
  if (!part) return []
  const prefix = typed.slice(part.from, caret)
  const value = (key: string, word: string, hint: string): Suggestion => ({ key, insert: `${word} `, from: part.from, to: part.to, word, hint })
  const type = fields[field].type
  if (type === 'states') return (Object.keys(states) as Array<keyof typeof states>).filter((key) => starts(prefix, key, states[key].et, ...(states[key].also ?? []))).map((key) => value(key, said(states[key]), key))
  if (type === 'queues') return (Object.keys(queues) as Array<keyof typeof queues>).filter((key) => starts(prefix, key, queues[key].et, ...(queues[key].also ?? []))).map((key) => value(key, said(queues[key]), key))
  if (type === 'kinds') return kindWords().filter(([kind, word]) => starts(prefix, kind, word)).slice(0, MOST).map(([kind, word]) => value(kind, kind, word))
  if (type === 'range' && prefix === '') return rangeSuggestions(part.from, part.to, now)
  return []
}

/** The text with the suggestion in it, and where the caret then stands. */
export function accept(typed: string, suggestion: Suggestion): { text: string; caret: number } {
  const rest = typed.slice(suggestion.to)
  // A blank that stands there already is not doubled.
  const insert = suggestion.insert.endsWith(' ') && /^\s/.test(rest) ? suggestion.insert.slice(0, -1) : suggestion.insert
  return { text: typed.slice(0, suggestion.from) + insert + rest, caret: suggestion.from + insert.length + (insert.length < suggestion.insert.length ? 1 : 0) }
}
