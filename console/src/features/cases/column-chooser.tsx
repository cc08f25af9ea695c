// Which columns are shown: a box to find one, a tick for each; kept with the user. A column that a filter brings is shown, not kept.
import { useState } from 'react'
import type { CaseColumn } from '@/api/types'
import { Button } from '@/components/ui/button'
import { CheckboxLabel } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { Popover } from '@/components/ui/menu'
import { toggled } from './first-page'
import { t } from './texts'
import { columnTitle } from './words'

export function ColumnChooser({ columns, chosen, own, onChange, onDefault }: { columns: CaseColumn[]; chosen: ReadonlySet<string>; own: ReadonlySet<string>; onChange: (fields: string[]) => void; onDefault: () => void }) {
  const [find, setFind] = useState('')
  const found = columns.filter((column) => columnTitle(column).toLowerCase().includes(find.trim().toLowerCase()))

  function toggle(field: string) {
    onChange(toggled(columns, own, field))
  }

  return (
    <Popover
      label={t.columnsTitle()}
      className="w-64 p-3"
      trigger={<Button><Icon name="columns" />{t.columns(chosen.size, columns.length)}<Icon name="down" /></Button>}
    >
      <Input aria-label={t.columnsFilter()} placeholder={t.columnsFilter()} value={find} onChange={(event) => setFind(event.target.value)} before={<Icon name="search" className="size-3.5" />} />
      <ul className="my-2 grid max-h-80 overflow-auto">
        {found.map((column) => (
          <li key={column.field}>
            <CheckboxLabel
              className="min-h-7"
              label={columnTitle(column)}
              checked={chosen.has(column.field)}
              disabled={column.field === 'number' || (chosen.has(column.field) && !own.has(column.field)) || (chosen.size === 1 && chosen.has(column.field))}
              onChange={() => toggle(column.field)}
            />
          </li>
        ))}
      </ul>
      <Button variant="ghost" onClick={onDefault}>{t.columnsDefault()}</Button>
    </Popover>
  )
}
