// The columns of the case list, kept with the user. A column that a filter brings is shown, not kept.
import type { CaseColumn } from '@/api/types'
import { ColumnChooser as Chooser } from '@/components/data-table/column-chooser'
import { toggled } from './first-page'
import { columnTitle } from './words'

export function ColumnChooser({ columns, chosen, own, onChange, onDefault }: { columns: CaseColumn[]; chosen: ReadonlySet<string>; own: ReadonlySet<string>; onChange: (fields: string[]) => void; onDefault: () => void }) {
  return (
    <Chooser
      columns={columns.map((column) => ({ field: column.field, title: columnTitle(column), locked: column.field === 'number' || (chosen.has(column.field) && !own.has(column.field)) }))}
      chosen={chosen}
      onToggle={(field) => onChange(toggled(columns, own, field))}
      onDefault={onDefault}
    />
  )
}
