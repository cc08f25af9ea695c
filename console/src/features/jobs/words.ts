// A filter of jobs in words: its chips, and the sentence of a set.
import type { JobFilter, Range } from '@/api/operations'
import { dateOf, dateTime, day, num, timeOf } from '@/lib/format'
import { text } from '@/lib/texts'
import { kindWord, queueWord, stateLook } from './status'

export type Chip = { key: keyof JobFilter; name: string; value: string }

const names = {
  search: text('Otsing', 'Search'),
  queue: text('Järjekord', 'Queue'),
  state: text('Olek', 'State'),
  kind: text('Liik', 'Kind'),
  bureau: text('Büroo', 'Bureau'),
  bailiff: text('Täitur', 'Bailiff'),
  caseNumber: text('Toimik', 'Case'),
  debtor: text('Võlgnik', 'Debtor'),
  bulkAction: text('Masstegevus', 'Bulk action'),
  operatorAction: text('Hulgitegevus', 'Operator action'),
  errorGroup: text('Vearühm', 'Error group'),
  error: text('Viga', 'Error'),
  // So far the server looks.
  payload: text('Sisend (20 000 uusimast)', 'Payload (of the newest 20,000)'),
  createdAt: text('Loodud', 'Created'),
  startedAt: text('Alustatud', 'Started'),
  finishedAt: text('Lõpetatud', 'Finished'),
} satisfies Record<keyof JobFilter, () => string>

const texts = {
  or: text('või', 'or'),
  since: text((at: string) => `alates ${at}`, (at) => `from ${at}`),
  until: text((at: string) => `kuni ${at}`, (at) => `until ${at}`),
  all: text('kõik tööd', 'all jobs'),
  number: text((n: string) => `nr ${n}`, (n) => `no. ${n}`),
}

function moment(at: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(at)) return day(at)
  const local = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?$/.exec(at)
  if (local) return `${day(local[1] ?? '')} ${local[2] ?? ''}`
  const clock = timeOf(at)
  return clock === '00:00:00' || clock === '23:59:59' ? dateOf(at) : dateTime(at)
}

function rangeWords({ after, before }: Range): string {
  const [from, to] = [after && moment(after), before && moment(before)]
  if (from && to) return from === to ? from : `${from}–${to}`
  return from ? texts.since(from) : texts.until(to ?? '')
}

function list(values: string[]): string {
  return values.length < 2 ? values.join() : `${values.slice(0, -1).join(', ')} ${texts.or()} ${values.at(-1) ?? ''}`
}

function valueOf(filter: JobFilter, key: keyof JobFilter): string {
  if (key === 'state') return list((filter.state ?? []).map((one) => stateLook[one].word().toLowerCase()))
  if (key === 'queue') return list((filter.queue ?? []).map((one) => queueWord[one]()))
  if (key === 'kind') return list((filter.kind ?? []).map(kindWord))
  if (key === 'bulkAction' || key === 'operatorAction') return texts.number(num(filter[key] ?? 0))
  // A group's key is long and says nothing; its beginning tells it from others.
  if (key === 'errorGroup') return (filter.errorGroup ?? '').slice(0, 8)
  const value = filter[key]
  return typeof value === 'object' && !Array.isArray(value) ? rangeWords(value) : String(value as string)
}

/** The applied filters, each with its name and value in words. */
export function chipsOf(filter: JobFilter): Chip[] {
  return (Object.keys(names) as Array<keyof JobFilter>).filter((key) => filter[key] !== undefined).map((key) => ({ key, name: names[key](), value: valueOf(filter, key) }))
}

/** "Olek ebaõnnestunud, büroo 101", or that there is no filter. */
export function filterSaid(filter: JobFilter): string {
  const chips = chipsOf(filter)
  return chips.length === 0 ? texts.all() : chips.map((chip) => `${chip.name.toLowerCase()} ${chip.value}`).join(' · ')
}
