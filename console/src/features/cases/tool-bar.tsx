// The bars over the table: search, columns, bulk actions; and the chips of the applied filters.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { CaseColumn, CaseFilters, RoleName } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Chip, Kbd } from '@/components/ui/chip'
import { Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { Bar } from '@/components/ui/sheet'
import { StartMenu } from '@/features/bulk-actions/start-menu'
import { useHotkeys } from '@/lib/hotkeys'
import { useTyped } from '@/lib/use-typed'
import { ColumnChooser } from './column-chooser'
import type { CaseSearch } from './filters'
import { claimTypesQuery, countQuery } from './queries'
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
  const chips = chipsOf(search, types.data ?? [], titles)
  const list = useRef<HTMLUListElement>(null)
  // A removed chip takes its button along: the next one gets the focus, or the heading after the last.
  const removed = useRef<number | null>(null)
  useEffect(() => {
    if (removed.current === null) return
    const next = list.current?.querySelectorAll('button')[removed.current] ?? document.getElementById('title')
    next?.focus({ preventScroll: true })
    removed.current = null
  }, [chips.length])
  if (chips.length === 0) return null
  return (
    <ul ref={list} aria-label={t.applied()} className="flex min-h-9 flex-none flex-wrap items-center gap-1.5 border-b px-3 py-1">
      {chips.map((chip, index) => (
        <li key={chip.key} className="max-w-full">
          <Chip name={chip.name} value={chip.value} removeLabel={t.remove(chip.name)} onRemove={() => { removed.current = index; onRemove(chip.clear) }} />
        </li>
      ))}
      <li><Button variant="ghost" onClick={() => { removed.current = 0; onReset() }}>{t.reset()}</Button></li>
    </ul>
  )
}
