// The words of the filter's language: each field and value in Estonian and English, and without the dots over the letters.
import type { JobFilter, QueueName } from '@/api/operations'
import type { TaskState } from '@/api/types'
import { language, type Language } from '@/lib/texts'

export type Field = Exclude<keyof JobFilter, 'search'>
export type FieldType = 'states' | 'queues' | 'kinds' | 'text' | 'case' | 'number' | 'range'
type Said = Record<Language, string>

export const fields: Record<Field, Said & { type: FieldType; also?: string[] }> = {
  queue: { et: 'järjekord', en: 'queue', type: 'queues' },
  state: { et: 'olek', en: 'state', type: 'states', also: ['status', 'seis'] },
  kind: { et: 'liik', en: 'kind', type: 'kinds' },
  bureau: { et: 'büroo', en: 'bureau', type: 'text' },
  caseNumber: { et: 'toimik', en: 'case', type: 'case' },
  debtor: { et: 'võlgnik', en: 'debtor', type: 'text' },
  bailiff: { et: 'täitur', en: 'bailiff', type: 'text', also: ['kohtutäitur'] },
  error: { et: 'viga', en: 'error', type: 'text' },
  errorGroup: { et: 'vearühm', en: 'group', type: 'text' },
  payload: { et: 'sisend', en: 'payload', type: 'text' },
  bulkAction: { et: 'masstegevus', en: 'bulk', type: 'number' },
  operatorAction: { et: 'hulgitegevus', en: 'action', type: 'number' },
  createdAt: { et: 'loodud', en: 'created', type: 'range' },
  startedAt: { et: 'alustatud', en: 'started', type: 'range' },
  finishedAt: { et: 'lõpetatud', en: 'finished', type: 'range' },
}
export const FIELDS = Object.keys(fields) as Field[]

export const states: Record<TaskState, Said & { also?: string[] }> = {
  failed: { et: 'ebaõnnestunud', en: 'failed' },
  warning: { et: 'hoiatusega', en: 'warning' },
  running: { et: 'töös', en: 'running' },
  queued: { et: 'järjekorras', en: 'queued', also: ['ootel'] },
  dispatched: { et: 'teel', en: 'dispatched' },
  ok: { et: 'õnnestunud', en: 'ok' },
  cancelled: { et: 'katkestatud', en: 'cancelled' },
}

export const queues: Record<QueueName, Said & { also?: string[] }> = {
  interactive: { et: 'inimene', en: 'interactive' },
  bulk: { et: 'masstegevused', en: 'bulk' },
  register: { et: 'register', en: 'register', also: ['registrid'] },
  arrest: { et: 'arest', en: 'arrest', also: ['arestid'] },
  import: { et: 'import', en: 'import' },
  mail: { et: 'kirjad', en: 'mail', also: ['e-kirjad'] },
  cron: { et: 'ajastatud', en: 'cron' },
}

/** Lower case, without marks over the letters: "Võlgnik" and "volgnik" are one word. */
export function fold(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
}

function find<K extends string>(table: Record<K, Said & { also?: string[] }>, word: string): K | undefined {
  const asked = fold(word)
  return (Object.keys(table) as K[]).find((key) => [key, table[key].et, table[key].en, ...(table[key].also ?? [])].some((name) => fold(name) === asked))
}

export const fieldOf = (word: string) => find(fields, word)
export const stateOf = (word: string) => find(states, word)
export const queueOf = (word: string) => find(queues, word)

export function said(of: Said): string {
  return of[language()]
}
