// The case list: tabs by status, filters, chips, the table, its pager, and what may be done with all that match.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { ApiError } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { Spinner } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { useRole, useSaveUser, useUser } from '@/features/auth/queries'
import { useRunningImport } from '@/features/imports/queries'
import { importForbidden } from '@/features/imports/status'
import { common } from '@/lib/common'
import { timeOf } from '@/lib/format'
import { recall, remember } from '@/lib/storage'
import { CaseTable } from './case-table'
import { CaseTabs } from './case-tabs'
import { ChipBar, ToolBar } from './tool-bar'
import { columnTitle } from './columns'
import { FilterPanel } from './filter-panel'
import { casePage, chosenColumns, sortOf } from './first-page'
import { type CaseSearch, filterCount, filtersBesideStatus, toFilters, withFilter, withoutFilters } from './filters'
import { casesQuery, claimTypesQuery, columnsQuery, countQuery, statusCountsQuery } from './queries'
import { t } from './texts'
import { useExport } from './use-export'
import { chipsOf, say } from './words'

const ImportDialog = lazy(() => import('@/features/imports/import-dialog'))

/** Fields worth asking whether they are filled, when the server has them. */
const EXISTS = ['delivery_date', 'reference_no', 'register_id', 'debtor_main_bank_account']
export function CasesPage() {
  const search = useSearch({ from: '/_app/case_list' })
  const navigate = useNavigate({ from: '/case_list' })
  const role = useRole()
  const user = useUser()
  const save = useSaveUser()
  const exporting = useExport()
  const runningImport = useRunningImport(role !== undefined)
  const [panel, setPanel] = useState(() => recall('filters') !== 'closed' && !matchMedia('(max-width: 900px)').matches)

  const columns = useQuery(columnsQuery)
  const types = useQuery(claimTypesQuery)
  const filters = useMemo(() => toFilters(search), [search])
  const chosen = useMemo(() => chosenColumns(columns.data ?? [], user?.case_table_column_fields, search.others === true), [columns.data, user?.case_table_column_fields, search.others])
  const fields = useMemo(() => (columns.data ?? []).map((column) => column.field).filter((field) => chosen.has(field)), [columns.data, chosen])
  const titles = useMemo(() => new Map((columns.data ?? []).map((column) => [column.field, columnTitle(column)])), [columns.data])
  const sort = sortOf(search)
  const page = search.page ?? 1
  const list = { columns: fields, sort, filters }
  const rows = useQuery({ ...casesQuery(casePage(columns.data ?? [], user, search)), enabled: fields.length > 0 && user !== undefined, placeholderData: keepPreviousData })
  const count = useQuery(countQuery(filters))
  const statusCounts = useQuery(statusCountsQuery(filtersBesideStatus(search)))

  const go = (next: CaseSearch) => void navigate({ search: next })
  const change = (part: Partial<CaseSearch>) => go(withFilter(search, part))
  const said = say(filters, types.data ?? [], titles)
  const forbidden = rows.error instanceof ApiError && rows.error.status === 403
  const importing = (search.dialog === 'import' && role?.role === 'KT') || search.import !== undefined

  function togglePanel() {
    remember('filters', panel ? 'closed' : 'open')
    setPanel(!panel)
  }

  let launchReason: string | null = null
  if (role?.role === 'dev') launchReason = t.bulkForbidden()
  else if (count.isPending) launchReason = t.stillCounting()
  else if (count.data?.count === 0) launchReason = t.noMatches()

  return (
    <>
      <PageHead
        title={t.title()}
        meta={
          <span className="text-muted-foreground">
            {count.isPending ? <Spinner label={t.counting()} /> : null}
            {count.data ? (
              <>
                <span role="status">{common.matches(count.data.count)}</span> <span className="text-xs max-sm:hidden">· {t.exact(timeOf(count.dataUpdatedAt))}</span>
              </>
            ) : null}
            {count.isError ? <span role="alert" className="text-err">{t.countFailed()}</span> : null}
          </span>
        }
      >
        {runningImport && search.import === undefined ? (
          <Button onClick={() => go({ ...search, import: runningImport.id })}>
            <Icon name="run" className="text-run" />
            {t.importing(runningImport.percent)}
          </Button>
        ) : null}
        <Button reason={role && role.role !== 'KT' ? importForbidden() : null} onClick={() => go({ ...search, dialog: 'import' })}>
          <Icon name="upload" />
          {t.import()}
        </Button>
        {exporting.percent === null ? (
          <Button disabled={fields.length === 0} onClick={() => exporting.start(list)}>
            <Icon name="download" />
            {t.export()}
          </Button>
        ) : (
          <Button onClick={exporting.stop} title={t.stopExport()} aria-label={`${t.exporting(exporting.percent)}. ${t.stopExport()}`}>
            <Icon name="run" className="text-run" />
            {t.exporting(exporting.percent)}
            <Icon name="x" />
          </Button>
        )}
      </PageHead>
      <CaseTabs search={search} counts={statusCounts.data?.byStatus ?? undefined} />
      <Sheet fill>
        <div className="flex min-h-0 flex-1 max-sm:flex-col">
          {panel ? <FilterPanel search={search} change={change} reset={go} exists={new Map(EXISTS.filter((field) => titles.has(field)).map((field) => [field, titles.get(field) ?? field]))} /> : null}
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <ToolBar
              search={search}
              panel={panel}
              onPanel={togglePanel}
              change={change}
              columns={columns.data ?? []}
              chosen={chosen}
              onColumns={(next) => save.mutate({ case_table_column_fields: next })}
              launch={{ filters, said, role: role?.role, reason: launchReason }}
            />
            <ChipBar chips={chipsOf(search, types.data ?? [], titles)} onRemove={(chip) => change(chip.clear)} onReset={() => go(withoutFilters(search))} />
            <CaseTable
              columns={columns}
              chosen={chosen}
              rows={rows}
              count={count.data?.count}
              page={page}
              sort={sort}
              search={search}
              forbidden={forbidden}
              filtered={filterCount(search)}
              mayImport={role?.role === 'KT'}
              rowHeight={user?.row_height ?? 32}
              onReset={() => go(withoutFilters(search))}
            />
          </div>
        </div>
      </Sheet>
      {importing ? <Suspense><ImportDialog id={search.import} onStarted={(id) => go({ ...search, dialog: undefined, import: id })} onClose={() => go({ ...search, dialog: undefined, import: undefined })} /></Suspense> : null}
    </>
  )
}
