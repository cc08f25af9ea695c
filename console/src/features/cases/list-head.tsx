// The head of the list: how many match, the import that runs, import and export.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CaseFilters, Role } from '@/api/types'
import { Button } from '@/components/ui/button'
import { LineFailed, Spinner } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import { PageHead } from '@/components/ui/sheet'
import { useRunningImport } from '@/features/imports/queries'
import { importForbidden } from '@/features/imports/status'
import { common } from '@/lib/common'
import { timeOf } from '@/lib/format'
import { type CaseSearch, withFilter } from './filters'
import { type CasePage, countQuery } from './queries'
import { t } from './texts'
import { useExport } from './use-export'

type Show = (dialog: Pick<CaseSearch, 'dialog' | 'import'>) => void

function Matches({ filters }: { filters: CaseFilters }) {
  const count = useQuery(countQuery(filters))
  return (
    <span className="text-muted-foreground">
      {count.isPending ? <Spinner label={t.counting()} /> : null}
      {count.data ? (
        <>
          <span role="status">{common.matches(count.data.count)}</span> <span className="text-xs max-sm:hidden">· {t.exact(timeOf(count.dataUpdatedAt))}</span>
        </>
      ) : null}
      {count.isError ? <LineFailed title={t.countFailed()} error={count.error} onRetry={() => void count.refetch()} /> : null}
    </span>
  )
}

function RunningImport({ role, show }: { role: Role | undefined; show: Show }) {
  const running = useRunningImport(role !== undefined)
  if (!running) return null
  return (
    <Button onClick={() => show({ import: running.id })}>
      <Icon name="run" className="text-run" />
      {t.importing(running.percent)}
    </Button>
  )
}

function Export({ list }: { list: Omit<CasePage, 'page'> }) {
  const exporting = useExport()
  if (exporting.percent === null) {
    return (
      <Button disabled={list.columns.length === 0} onClick={() => exporting.start(list)}>
        <Icon name="download" />
        {t.export()}
      </Button>
    )
  }
  return (
    <Button onClick={exporting.stop} title={t.stopExport()} aria-label={`${t.exporting(exporting.percent)}. ${t.stopExport()}`}>
      <Icon name="run" className="text-run" />
      {t.exporting(exporting.percent)}
      <Icon name="x" />
    </Button>
  )
}

/** The whole list again, without the selection; the other filters stay. */
function ClearSelection({ search }: { search: CaseSearch }) {
  if (!search.caseSelection) return null
  return <Link to="/case_list" search={withFilter(search, { caseSelection: undefined })} className="link inline-flex min-h-6 items-center">{t.clearSelection()}</Link>
}

export function ListHead({ search, filters, list, role, showsImport, show }: {
  search: CaseSearch
  filters: CaseFilters
  list: Omit<CasePage, 'page'>
  role: Role | undefined
  showsImport: boolean
  show: Show
}) {
  return (
    <PageHead title={t.title()} meta={<><Matches filters={filters} /><ClearSelection search={search} /></>}>
      {showsImport ? null : <RunningImport role={role} show={show} />}
      <Button reason={role && role.role !== 'KT' ? importForbidden() : null} onClick={() => show({ dialog: 'import' })}>
        <Icon name="upload" />
        {t.import()}
      </Button>
      <Export list={list} />
    </PageHead>
  )
}
