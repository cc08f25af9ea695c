// Which columns are shown: a box to find one, a tick for each; the height of rows beside them.
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { CheckboxLabel } from '@/components/ui/checkbox'
import { Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { Popover } from '@/components/ui/menu'
import { text } from '@/lib/texts'

const texts = {
  title: text('Veerud', 'Columns'),
  button: text((n: number, of: number) => `Veerud ${n}/${of}`, (n, of) => `Columns ${n}/${of}`),
  find: text('Otsi veergu', 'Find a column'),
  restore: text('Taasta vaikimisi veerud', 'Restore the default columns'),
}

/** `locked`: shown whatever the person keeps. */
export type Choice = { field: string; title: string; locked?: boolean }

export function ColumnChooser({ columns, chosen, onToggle, onDefault, children }: { columns: Choice[]; chosen: ReadonlySet<string>; onToggle: (field: string) => void; onDefault: () => void; children?: React.ReactNode }) {
  const [find, setFind] = useState('')
  const found = columns.filter((column) => column.title.toLowerCase().includes(find.trim().toLowerCase()))
  return (
    <Popover
      label={texts.title()}
      className="w-64 p-3"
      trigger={<Button><Icon name="columns" />{texts.button(chosen.size, columns.length)}<Icon name="down" /></Button>}
    >
      <Input aria-label={texts.find()} placeholder={texts.find()} value={find} onChange={(event) => setFind(event.target.value)} before={<Icon name="search" className="size-3.5" />} />
      <ul className="my-2 grid max-h-80 overflow-auto">
        {found.map((column) => (
          <li key={column.field}>
            <CheckboxLabel
              className="min-h-7"
              label={column.title}
              checked={chosen.has(column.field)}
              disabled={column.locked === true || (chosen.size === 1 && chosen.has(column.field))}
              onChange={() => onToggle(column.field)}
            />
          </li>
        ))}
      </ul>
      <Button variant="ghost" onClick={onDefault}>{texts.restore()}</Button>
      {children}
    </Popover>
  )
}
