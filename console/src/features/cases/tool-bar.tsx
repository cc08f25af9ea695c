// The bars over the table: search, columns, bulk actions; and the chips of the applied filters.
import { useRef } from 'react'
import type { CaseColumn, CaseFilters, RoleName } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Chip, Kbd } from '@/components/ui/chip'
import { Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { Bar } from '@/components/ui/sheet'
import { StartMenu } from '@/features/bulk-actions/start-menu'
import type { Said } from '@/lib/said'
import { useHotkeys } from '@/lib/hotkeys'
import { useTyped } from '@/lib/use-typed'
import { ColumnChooser } from './column-chooser'
import type { CaseSearch } from './filters'
import { t } from './texts'
import type { ChipText } from './words'

export function ToolBar({ search, panel, onPanel, change, columns, chosen, onColumns, launch }: {
  search: CaseSearch
  panel: boolean
  onPanel: () => void
  change: (part: Partial<CaseSearch>) => void
  columns: CaseColumn[]
  chosen: ReadonlySet<string>
  onColumns: (fields: string[]) => void
  launch: { filters: CaseFilters; said: Said; role: RoleName | undefined; reason: string | null }
}) {
  const field = useRef<HTMLInputElement>(null)
  const typed = useTyped(search.q ?? '', (q) => change({ q: q || undefined }))
  useHotkeys({ '/': () => field.current?.focus() })
  return (
    <Bar className="flex-wrap">
      <Button aria-expanded={panel} onClick={onPanel}>
        <Icon name="filter" />
        {t.filters()}
      </Button>
      <Input
        {...typed} ref={field} type="search" aria-label={t.search()} placeholder={t.search()} maxLength={200} boxClassName="w-56"
        before={<Icon name="search" className="size-3.5" />} after={<Kbd className="max-sm:hidden">/</Kbd>}
      />
      <span className="ml-auto" />
      <ColumnChooser columns={columns} chosen={chosen} onChange={onColumns} />
      <StartMenu {...launch} />
    </Bar>
  )
}

export function ChipBar({ chips, onRemove, onReset }: { chips: ChipText[]; onRemove: (chip: ChipText) => void; onReset: () => void }) {
  if (chips.length === 0) return null
  return (
    <ul aria-label={t.applied()} className="flex min-h-9 flex-none flex-wrap items-center gap-1.5 border-b px-3 py-1">
      {chips.map((chip) => (
        <li key={chip.key} className="max-w-full">
          <Chip name={chip.name} value={chip.value} removeLabel={t.remove(chip.name)} onRemove={() => onRemove(chip)} />
        </li>
      ))}
      <li><Button variant="ghost" onClick={onReset}>{t.reset()}</Button></li>
    </ul>
  )
}
