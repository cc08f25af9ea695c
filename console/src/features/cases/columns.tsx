// How each column of the case list is drawn, whatever the server calls its head.
import type { CaseColumn, CaseRow, CaseStatus, Money } from '@/api/types'
import type { Column } from '@/components/data-table/data-table'
import { Amount, CaseNumber } from '@/components/ui/figures'
import { Icon } from '@/components/ui/icons'
import { day, euros } from '@/lib/format'
import { language } from '@/lib/texts'
import { CaseStatusBadge } from './status'
import { columnShort, stateWord, t } from './texts'
import { columnTitle } from './words'

const width: Record<string, number> = { number: 140, status: 150, tenant: 160, main_claim_type: 128, claimant_reg_code: 116, debtor_reg_code: 116, taitis_number: 116, register_id: 116, reference_no: 150, debtor_main_bank_account: 190, total_claims: 92, balance: 88, start_fee: 70, issuer_fee: 80, table_fee: 84 }

const widthOf: Record<string, number> = { money: 96, integer: 88, date: 124, boolean: 104, state: 150 }

function isMoney(value: unknown): value is Money {
  return typeof value === 'object' && value !== null && 'cents' in value
}

function CaseLabel({ row }: { row: CaseRow }) {
  const trouble = row.last_transition_error
  const problems = row.problem_count ?? 0
  return (
    <span className="flex items-center gap-1">
      <CaseNumber number={row.number} />
      {problems > 0 ? (
        <span className="text-warn" title={t.problems()}>
          <Icon name="warn" className="size-3.5" />
          <span className="sr-only">{t.problems()}</span>
        </span>
      ) : null}
      {trouble ? (
        <span className="text-err" title={trouble}>
          <Icon name="err" className="size-3.5" />
          <span className="sr-only">{trouble}</span>
        </span>
      ) : null}
    </span>
  )
}

function cell(field: string, row: CaseRow) {
  const value = row[field]
  if (field === 'number') return <CaseLabel row={row} />
  if (field === 'state') return stateWord[String(value)]?.() ?? String(value)
  if (field === 'status') return <CaseStatusBadge status={value as CaseStatus} />
  if (isMoney(value)) return <Amount cents={value.cents} className={field === 'balance' ? 'font-medium' : undefined} />
  if (value === null || value === undefined || value === '') return <span className="text-muted-foreground">–</span>
  if (typeof value === 'boolean') return value ? t.yes() : t.no()
  if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return day(value)
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
}

/** An amount is never cut: the widest one of the page makes room; both marks of a case have room beside its number. */
function widest(column: CaseColumn, rows: CaseRow[]): number {
  if (column.field === 'number') return rows.some((row) => row.last_transition_error && (row.problem_count ?? 0) > 0) ? 164 : 0
  if (column.type !== 'money') return 0
  const long = Math.max(0, ...rows.map((row) => row[column.field]).filter(isMoney).map((money) => euros(money.cents).length - 2))
  return long > 8 ? long * 7.5 + 24 : 0
}

/** The chosen columns in the server's order, ready for the table with these rows. */
export function tableColumns(columns: CaseColumn[], chosen: ReadonlySet<string>, rows: CaseRow[]): Column<CaseRow>[] {
  return columns.filter((column) => chosen.has(column.field)).map((column) => {
    const numeric = column.type === 'money' || column.type === 'integer'
    const usual = width[column.field] ?? widthOf[column.type]
    const fixed = usual && Math.max(usual, widest(column, rows))
    return {
      key: column.field,
      title: language() === 'et' ? (columnShort[column.field] ?? column.title) : columnTitle(column),
      fullTitle: columnTitle(column),
      ...(fixed ? { width: fixed } : {}),
      numeric,
      wrapTitle: numeric,
      pinned: column.field === 'number',
      sortable: column.sortable,
      cell: (row) => cell(column.field, row),
      hint: (row) => {
        const value = row[column.field]
        return typeof value === 'string' && column.field !== 'number' && column.field !== 'status' ? value : undefined
      },
    }
  })
}

/** How narrow the table may get before it scrolls sideways. */
export function tableWidth(columns: Column<CaseRow>[]): number {
  return columns.reduce((sum, column) => sum + (column.width ?? 126), 0)
}
