// The bars over the table: search, columns, bulk actions; and the chips of the applied filters.
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { CaseColumn, CaseFilters, RoleName } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/chip'
import { ChipBar as Chips } from '@/components/ui/chip-bar'
import { Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { Bar } from '@/components/ui/sheet'
import { StartMenu } from '@/features/bulk-actions/start-menu'
import { useHotkeys } from '@/lib/hotkeys'
import { useTyped } from '@/lib/use-typed'
import { ColumnChooser } from './column-chooser'
import type { CaseSearch } from './filters'
import { claimTypesQuery, countQuery, selectionQuery } from './queries'
import { t } from './texts'
import { chipsOf, say } from './words'

/** The menu over everything that matches; why it is closed, if it is. */
function Launch({ filters, titles, role }: { filters: CaseFilters; titles: ReadonlyMap<string, string>; role: RoleName | undefined }) {
  const count = useQuery(countQuery(filters))
  const types = useQuery(claimTypesQuery)
  let reason: string | null = null
  if (role === 'dev') reason = t.bulkForbidden()
  else if (count.isPending) reason = t.stillCounting()
  else if (count.data?.count === 0) reason = t.noMatches()
  return <StartMenu filters={filters} said={say(filters, types.data ?? [], titles)} role={role} reason={reason} />
}

export function ToolBar({ search, filters, titles, role, panel, onPanel, change, columns, chosen, own, onColumns, onDefaultColumns }: {
  search: CaseSearch
  filters: CaseFilters
  titles: ReadonlyMap<string, string>
  role: RoleName | undefined
  panel: boolean
  onPanel: () => void
  change: (part: Partial<CaseSearch>) => void
  columns: CaseColumn[]
  chosen: ReadonlySet<string>
  own: ReadonlySet<string>
  onColumns: (fields: string[]) => void
  onDefaultColumns: () => void
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
        {...typed.field} ref={field} type="search" aria-label={t.search()} placeholder={t.search()} maxLength={200} boxClassName="w-56"
        before={<Icon name="search" className="size-3.5" />} after={<Kbd className="max-sm:hidden">/</Kbd>}
      />
      <span className="ml-auto" />
      <ColumnChooser columns={columns} chosen={chosen} own={own} onChange={onColumns} onDefault={onDefaultColumns} />
      <Launch filters={filters} titles={titles} role={role} />
    </Bar>
  )
}

export function ChipBar({ search, titles, onRemove, onReset }: { search: CaseSearch; titles: ReadonlyMap<string, string>; onRemove: (part: Partial<CaseSearch>) => void; onReset: () => void }) {
  const types = useQuery(claimTypesQuery)
  const selection = useQuery({ ...selectionQuery(search.caseSelection ?? 0), enabled: search.caseSelection !== undefined })
  const chips = chipsOf(search, types.data ?? [], titles, selection.isError ? null : selection.data?.count)
  return <Chips chips={chips} onRemove={(key) => onRemove(chips.find((chip) => chip.key === key)?.clear ?? {})} onReset={onReset} />
}
