// The case list: tabs by status, filters, chips, the table and its pager; each part reads what it shows, so that an answer draws that part alone.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, useCallback, useMemo, useState } from 'react'
import { ApiError } from '@/api/errors'
import { Piece } from '@/components/ui/piece'
import { Sheet } from '@/components/ui/sheet'
import { useRole, useSaveUser, useUser } from '@/features/auth/queries'
import { recall, remember } from '@/lib/storage'
import { toasts } from '@/lib/toasts'
import { CaseTable } from './case-table'
import { CaseTabs } from './case-tabs'
import { FilterPanel } from './filter-panel'
import { type CaseSearch, toFilters, withFilter, withoutFilters } from './filters'
import { casePage, chosenColumns, sortOf } from './first-page'
import { ListHead } from './list-head'
import { casesQuery, columnsQuery } from './queries'
import { ChipBar, ToolBar } from './tool-bar'
import { t } from './texts'
import { columnTitles } from './words'

const ImportDialog = lazy(() => import('@/features/imports/import-dialog'))

/** Fields worth asking whether they are filled, when the server has them. */
const EXISTS = ['delivery_date', 'reference_no', 'register_id', 'debtor_main_bank_account']

export function CasesPage() {
  const search = useSearch({ from: '/_app/case_list' })
  const navigate = useNavigate({ from: '/case_list' })
  const role = useRole()
  const user = useUser()
  const save = useSaveUser()
  const [panel, setPanel] = useState(() => recall('filters') !== 'closed' && !matchMedia('(max-width: 900px)').matches)

  const columns = useQuery(columnsQuery)
  const filters = useMemo(() => toFilters(search), [search])
  const chosen = useMemo(() => chosenColumns(columns.data ?? [], user?.case_table_column_fields, search.others === true), [columns.data, user?.case_table_column_fields, search.others])
  const own = useMemo(() => chosenColumns(columns.data ?? [], user?.case_table_column_fields, false), [columns.data, user?.case_table_column_fields])
  const fields = useMemo(() => (columns.data ?? []).map((column) => column.field).filter((field) => chosen.has(field)), [columns.data, chosen])
  const titles = useMemo(() => columnTitles(columns.data ?? []), [columns.data])
  const exists = useMemo(() => new Map(EXISTS.filter((field) => titles.has(field)).map((field) => [field, titles.get(field) ?? field])), [titles])
  const rows = useQuery({ ...casesQuery(casePage(columns.data ?? [], user, search)), enabled: fields.length > 0 && user !== undefined, placeholderData: keepPreviousData })

  const change = useCallback((part: Partial<CaseSearch>) => void navigate({ search: (now) => withFilter(now, part) }), [navigate])
  const reset = useCallback(() => {
    void navigate({ search: withoutFilters })
    toasts.undoable(t.resetDone(), () => void navigate({ to: '/case_list', search }))
  }, [navigate, search])
  const show = useCallback((dialog: Pick<CaseSearch, 'dialog' | 'import'>) => void navigate({ search: (now) => ({ ...now, dialog: undefined, import: undefined, ...dialog }), replace: dialog.import !== undefined }), [navigate])
  const importing = (search.dialog === 'import' && role?.role === 'KT') || search.import !== undefined

  function defaultColumns() {
    const kept = user?.case_table_column_fields
    save.mutate({ case_table_column_fields: (columns.data ?? []).filter((column) => column.default).map((column) => column.field) })
    if (kept) toasts.undoable(t.columnsRestored(), () => save.mutate({ case_table_column_fields: kept }))
  }

  function togglePanel() {
    remember('filters', panel ? 'closed' : 'open')
    setPanel(!panel)
  }

  return (
    <>
      <ListHead search={search} filters={filters} list={{ columns: fields, sort: sortOf(search), filters }} role={role} showsImport={search.import !== undefined} show={show} />
      <CaseTabs search={search} />
      <Sheet fill className="min-h-[680px] max-sm:min-h-0">
        <div className="flex min-h-0 flex-1 max-sm:flex-col">
          {panel ? <FilterPanel search={search} change={change} reset={reset} exists={exists} /> : null}
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <ToolBar
              search={search}
              filters={filters}
              titles={titles}
              role={role?.role}
              panel={panel}
              onPanel={togglePanel}
              change={change}
              columns={columns.data ?? []}
              chosen={chosen}
              own={own}
              onColumns={(next) => save.mutate({ case_table_column_fields: next })}
              onDefaultColumns={defaultColumns}
            />
            <ChipBar search={search} titles={titles} onRemove={change} onReset={reset} />
            <CaseTable
              columns={columns}
              chosen={chosen}
              rows={rows}
              filters={filters}
              search={search}
              forbidden={rows.error instanceof ApiError && rows.error.status === 403}
              mayImport={role?.role === 'KT'}
              rowHeight={user?.row_height ?? 32}
              onReset={reset}
            />
          </div>
        </div>
      </Sheet>
      {importing ? <Piece onLost={() => show({})}><ImportDialog id={search.import} onStarted={(id) => show({ import: id })} onClose={() => show({})} /></Piece> : null}
    </>
  )
}
