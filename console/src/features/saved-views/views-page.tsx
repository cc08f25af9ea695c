// All saved views, own and shared: each is its link; own ones can be changed and deleted.
import { useQueries } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { ApiError, sentence } from '@/api/errors'
import type { SavedView } from '@/api/operations'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { useRows } from '@/components/data-table/use-rows'
import { Button } from '@/components/ui/button'
import { Empty, LoadFailed, useLate } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import { Piece } from '@/components/ui/piece'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { auditSchema } from '@/features/audit/audit-search'
import { chipsOf } from '@/features/audit/chips'
import { filterOf } from '@/features/audit/filters'
import { groupSearchSchema } from '@/features/error-groups/filters'
import { groupFilterSaid } from '@/features/error-groups/said'
import { filterSaid } from '@/features/jobs/queries'
import { refusal } from '@/lib/allowed'
import { cn } from '@/lib/utils'
import { useChangeView, useDeleteView, viewsQuery } from './queries'
import { t } from './texts'
import { isViewPage, searchOf, VIEW_PAGES, type ViewPage } from './view'

const ViewDialog = lazy(() => import('./view-dialog'))
const PAGES = Object.keys(VIEW_PAGES) as ViewPage[]

function filterWords(view: SavedView): string {
  if (view.query === '') return t.noFilter()
  const search = searchOf(view.query)
  if (view.page === 'audit') return chipsOf(filterOf(auditSchema.parse(search))).map((chip) => `${chip.name.toLowerCase()} ${chip.value}`).join(' · ')
  return view.page === 'errors' ? groupFilterSaid(groupSearchSchema.parse(search)) : filterSaid(search)
}

function where(view: SavedView): ViewPage {
  return isViewPage(view.page) ? view.page : 'jobs'
}

const columns = (onEdit: (view: SavedView) => void, onDelete: (view: SavedView) => void): Column<SavedView>[] => [
  { key: 'name', title: t.columns.name(), width: 260, pinned: true, cell: (view) => <Link to={VIEW_PAGES[where(view)]} search={searchOf(view.query) as never} className="link inline-flex min-h-6 items-center font-medium">{view.name}</Link>, hint: (view) => view.name },
  { key: 'page', title: t.columns.page(), width: 140, cell: (view) => t.pages[where(view)]() },
  { key: 'filter', title: t.columns.filter(), className: 'text-muted-foreground', cell: filterWords, hint: filterWords },
  { key: 'shared', title: t.columns.shared(), width: 80, cell: (view) => (view.shared ? t.yes() : t.no()) },
  { key: 'by', title: t.columns.by(), width: 180, className: 'text-muted-foreground', cell: (view) => (view.mine ? t.mine() : view.createdBy.name) },
  {
    key: 'acts', title: t.columns.acts(), silent: true, width: 76,
    cell: (view) => (
      <span className="flex justify-end gap-0.5">
        <Button variant="ghost" size="mini" className={cn(refusal(view, 'edit') !== null && 'opacity-40')} reason={refusal(view, 'edit')} aria-label={`${t.rename()}: ${view.name}`} title={t.rename()} onClick={() => onEdit(view)}><Icon name="pen" className="size-3.5" /></Button>
        <Button variant="ghost" size="mini" className={cn(refusal(view, 'delete') !== null && 'opacity-40')} reason={refusal(view, 'delete')} aria-label={`${t.remove()}: ${view.name}`} title={t.remove()} onClick={() => onDelete(view)}><Icon name="x" className="size-3.5" /></Button>
      </span>
    ),
  },
]

export function ViewsPage() {
  const found = useQueries({ queries: PAGES.map(viewsQuery) })
  const [editing, setEditing] = useState<SavedView | null>(null)
  const change = useChangeView()
  const gone = useDeleteView()
  const navigate = useNavigate()
  const pending = found.some((one) => one.isPending)
  const late = useLate(pending)
  const failed = found.find((one) => one.isError)
  const views = found.flatMap((one) => one.data?.member ?? [])
  const { here, setHere } = useRows(views, { onOpen: (view) => void navigate({ to: VIEW_PAGES[where(view)], search: searchOf(view.query) as never }) })
  return (
    <>
      <PageHead title={t.title()} />
      <Sheet fill>
        {failed ? (
          <div className="p-3">
            <LoadFailed title={sentence(failed.error, t.loadFailed())} requestId={failed.error instanceof ApiError ? failed.error.requestId : null} onRetry={() => found.forEach((one) => void one.refetch())} />
          </div>
        ) : null}
        <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={t.title()}>
          {!pending && !failed && views.length === 0 ? <Empty icon="bookmark" title={t.none()} act={<Link to="/jobs" className="link">{t.openJobs()}</Link>}>{t.noneHint()}</Empty> : (
            <DataTable label={t.title()} columns={columns(setEditing, (view) => gone.mutate(view))} rows={views} rowName={(view) => view.name} here={here} onHere={setHere} bones={late ? 8 : 0} minWidth={900} />
          )}
        </div>
      </Sheet>
      {editing ? (
        <Piece onLost={() => setEditing(null)}>
          <ViewDialog view={editing} busy={change.isPending} onClose={() => setEditing(null)} onSave={(view) => change.mutate({ id: editing.id, version: editing.version, ...view }, { onSuccess: () => setEditing(null) })} />
        </Piece>
      ) : null}
    </>
  )
}
