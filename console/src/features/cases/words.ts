// Filters in words: as chips above the list and as one sentence in the launch dialog.
import type { CaseColumn, CaseFilters, ClaimType } from '@/api/types'
import { day, euros } from '@/lib/format'
import type { Said } from '@/lib/said'
import { language, text } from '@/lib/texts'
import { type CaseSearch, ownStatuses, PENDING, STATUSES } from './filters'
import { columnEnglish, statusWord, t, w } from './texts'

export type ChipText = { key: string; name: string; value: string; clear: Partial<CaseSearch> }

export function columnTitle(column: Pick<CaseColumn, 'field' | 'title'>): string {
  return language() === 'en' ? (columnEnglish[column.field] ?? column.title) : column.title
}

/** The heads of the columns by their fields. */
export function columnTitles(columns: CaseColumn[]): Map<string, string> {
  return new Map(columns.map((column) => [column.field, columnTitle(column)]))
}

const quoted = text((value: string) => `„${value}“`, (value) => `“${value}”`)

function existsName(field: string, titles: ReadonlyMap<string, string>): string {
  return titles.get(field) ?? field
}

function claimNames(ids: number[], types: ClaimType[]): string[] {
  return ids.map((id) => types.find((type) => type.id === id)?.name ?? String(id))
}

/** The chips of the applied filters; the tab is not one of them. `selected` is how many cases a chosen selection has, null where there is no such one. */
export function chipsOf(search: CaseSearch, types: ClaimType[], titles: ReadonlyMap<string, string>, selected?: number | null): ChipText[] {
  const chips: ChipText[] = []
  const add = (key: string, name: string, value: string, clear: Partial<CaseSearch>) => chips.push({ key, name, value, clear })
  const person = { private: t.privateLower(), juridical: t.juridicalLower() }
  if (search.caseSelection) add('caseSelection', t.selection(search.caseSelection), selected === undefined ? '…' : selected === null ? t.selectionMissing() : t.selected(selected), { caseSelection: undefined })
  if (search.q) add('q', t.chipSearch(), search.q, { q: undefined })
  const own = ownStatuses(search)
  if (own) add('status', t.chipStatus(), own.length > 2 ? t.statuses(own.length) : list(own.map((one) => statusWord[one]()), w.or()), { status: undefined })
  if (search.archived) add('archived', t.chipStatus(), `+ ${statusWord.archived().toLowerCase()}`, { archived: undefined })
  if (search.number) add('number', t.number(), `${search.number}…`, { number: undefined })
  if (search.debtor) add('debtor', t.chipDebtor(), person[search.debtor], { debtor: undefined })
  if (search.debtorName) add('debtorName', t.chipDebtorName(), search.debtorName, { debtorName: undefined })
  if (search.debtorCode) add('debtorCode', t.chipDebtorCode(), `${search.debtorCode}…`, { debtorCode: undefined })
  if (search.claimant) add('claimant', t.chipClaimant(), person[search.claimant], { claimant: undefined })
  if (search.claimantName) add('claimantName', t.chipClaimantName(), search.claimantName, { claimantName: undefined })
  if (search.claimantCode) add('claimantCode', t.chipClaimantCode(), `${search.claimantCode}…`, { claimantCode: undefined })
  if (search.claimType) {
    const names = claimNames(search.claimType, types)
    add('claimType', t.claimType(), names.length > 2 ? t.kinds(names.length) : names.join(', '), { claimType: undefined })
  }
  if (search.min !== undefined || search.max !== undefined) {
    add('balance', t.balance(), t.range(search.min === undefined ? null : euros(search.min), search.max === undefined ? null : euros(search.max)), { min: undefined, max: undefined })
  }
  if (search.from || search.until) add('opened', t.opened(), t.range(search.from ? day(search.from) : null, search.until ? day(search.until) : null), { from: undefined, until: undefined })
  for (const [field, filled] of Object.entries(search.exists ?? {})) {
    const rest = Object.fromEntries(Object.entries(search.exists ?? {}).filter(([other]) => other !== field))
    add(`exists-${field}`, existsName(field, titles), filled ? t.filled() : t.missing(), { exists: rest })
  }
  if (search.others) add('others', t.others(), t.yes().toLowerCase(), { others: undefined })
  return chips
}

function list(words: string[], joiner: string): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${joiner} ${words.at(-1) ?? ''}`
}

function lead(filters: CaseFilters): string {
  return filters.includeAllBailiffs ? `${byStatus(filters)} ${w.others()}` : byStatus(filters)
}

function byStatus(filters: CaseFilters): string {
  const status = filters.status
  if (!status) return w.cases.everything()
  const same = (other: readonly string[]) => status.length === other.length && other.every((one) => (status as string[]).includes(one))
  if (same(PENDING)) return w.cases.pending()
  if (same(STATUSES.filter((one) => one !== 'archived'))) return w.cases.all()
  return w.withStatus(list(status.map((one) => quoted(statusWord[one]())), w.or()))
}

/** The filters as one sentence: its lead, and clauses whose values are set in bold. */
export function say(filters: CaseFilters, types: ClaimType[], titles: ReadonlyMap<string, string>): Said {
  const clauses: Said['clauses'] = []
  const add = (before: string, value: string) => clauses.push({ before, value })
  const person = { private: t.privateLower(), juridical: t.juridicalLower() }
  const kinds = (of: Array<'private' | 'juridical'>) => list(of.map((one) => person[one]), w.or())
  if (filters.number) add(w.number(), quoted(filters.number))
  if (filters['debtor.type']) add(w.debtorKind(), kinds(filters['debtor.type']))
  if (filters['debtor.name']) add(w.debtorName(), quoted(filters['debtor.name']))
  if (filters['debtor.regCode']) add(w.debtorCode(), quoted(filters['debtor.regCode']))
  if (filters['claimant.type']) add(w.claimantKind(), kinds(filters['claimant.type']))
  if (filters['claimant.name']) add(w.claimantName(), quoted(filters['claimant.name']))
  if (filters['claimant.regCode']) add(w.claimantCode(), quoted(filters['claimant.regCode']))
  if (filters.mainClaimType) add(w.claimType(), list(claimNames(filters.mainClaimType, types), w.or()))
  const balance = filters['balance.cents']
  if (balance?.between) {
    const [low = 0, high = 0] = balance.between.split('..').map(Number)
    add(w.balance(), w.between(euros(low), euros(high)))
  } else if (balance?.gte !== undefined) add(w.balance(), w.atLeast(euros(balance.gte)))
  else if (balance?.lte !== undefined) add(w.balance(), w.atMost(euros(balance.lte)))
  const opened = filters.dateOpened
  if (opened?.after && opened.before) add(w.opened(), w.between(day(opened.after), day(opened.before)))
  else if (opened?.after) add(w.opened(), w.since(day(opened.after)))
  else if (opened?.before) add(w.opened(), w.until(day(opened.before)))
  for (const [field, filled] of Object.entries(filters.exists ?? {})) add(`${w.field()} ${quoted(existsName(field, titles))}`, filled ? w.isFilled() : w.isMissing())
  if (filters.caseSelection) add(w.selection(), String(filters.caseSelection))
  if (filters.globalSearchTerm) add(w.search(), quoted(filters.globalSearchTerm))
  return { lead: lead(filters), clauses }
}

/** The same sentence as plain text. */
export function saidText(filters: CaseFilters, types: ClaimType[], titles: ReadonlyMap<string, string>): string {
  const { lead, clauses } = say(filters, types, titles)
  return clauses.length > 0 ? `${lead}, ${w.where()} ${list(clauses.map((clause) => `${clause.before} ${clause.value}`), w.and())}` : lead
}
