// The operator actions, newest first.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ApiError, sentence } from '@/api/errors'
import type { OperatorAction } from '@/api/operations'
import { useSession } from '@/api/session'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Pager } from '@/components/data-table/pager'
import { useRows } from '@/components/data-table/use-rows'
import { Empty, LoadFailed, Sweep, useLate } from '@/components/ui/feedback'
import { Parts } from '@/components/ui/progress'
import { FootBar, PageHead, Sheet } from '@/components/ui/sheet'
import { filterSaid } from '@/features/jobs/queries'
import { common } from '@/lib/common'
import { duration, num, percent, timeOf, whenShort } from '@/lib/format'
import { useRefreshEvery } from '@/lib/refresh-choice'
import { usePoll } from '@/lib/use-poll'
import { ACTIONS_PER_PAGE, actionsQuery } from './queries'
import { actionLook, ended, LookBadge, partsOf } from './status'
import { kindLook, t } from './texts'

function Amount({ action }: { action: OperatorAction }) {
  const done = ended(action.counts)
  return (
    <span className="flex items-center gap-3">
      <span className="w-24 flex-none"><Parts thin label={`${kindLook[action.kind].name()}, ${t.numberOf(action.id)}`} parts={partsOf(action.counts)} done={done} total={action.total} /></span>
      <span className="num text-xs text-muted-foreground">{action.status === 1 ? `${percent(done, action.total)} · ` : ''}<b className="font-medium text-foreground">{num(action.total)}</b></span>
    </span>
  )
}

const columns = (): Column<OperatorAction>[] => [
  {
    key: 'kind', title: t.columns.kind(), width: 190, pinned: true,
    cell: (action) => (
      <>
        <Link to="/operator_actions/$id" params={{ id: String(action.id) }} className="link inline-flex min-h-6 items-center font-medium">{kindLook[action.kind].name()}</Link>
        <span className="ml-2 text-xs text-muted-foreground">{t.numberOf(action.id)}</span>
      </>
    ),
  },
  { key: 'state', title: t.columns.state(), width: 150, cell: (action) => <LookBadge look={actionLook(action)} /> },
  { key: 'progress', title: t.columns.progress(), width: 220, cell: (action) => <Amount action={action} /> },
  { key: 'filter', title: t.columns.filter(), cell: (action) => filterSaid(action.filter), hint: (action) => filterSaid(action.filter) },
  { key: 'by', title: t.columns.by(), width: 190, className: 'text-muted-foreground', cell: (action) => `${action.createdBy.name}${action.createdBy.tenantCode ? ` · ${action.createdBy.tenantCode}` : ''}`, hint: (action) => action.createdBy.name },
  { key: 'at', title: t.columns.at(), width: 132, numeric: true, className: 'text-muted-foreground', cell: (action) => whenShort(action.createdAt) },
  { key: 'took', title: t.columns.took(), width: 84, numeric: true, className: 'text-muted-foreground', cell: (action) => (action.startedAt && action.finishedAt ? duration(action.startedAt, action.finishedAt) : '–') },
]

export function ListPage() {
  const { page = 1 } = useSearch({ from: '/_app/operator_actions/' })
  const actions = useQuery(actionsQuery(page))
  const client = useQueryClient()
  const session = useSession()
  const navigate = useNavigate()
  const every = useRefreshEvery()
  const late = useLate(actions.isPending)
  const stale = useLate(actions.isPlaceholderData && actions.isFetching)
  const rows = actions.data?.member ?? []
  const forbidden = actions.error instanceof ApiError && actions.error.status === 403
  const empty = actions.data !== undefined && !actions.isPlaceholderData && rows.length === 0
  const { here, setHere } = useRows(rows, { onOpen: (action) => void navigate({ to: '/operator_actions/$id', params: { id: String(action.id) } }) })
  usePoll({
    active: session !== null && rows.some((action) => action.status === 1),
    every,
    ask: async () => {
      const before = actions.data
      const now = await client.fetchQuery({ ...actionsQuery(page), staleTime: 0, retry: false })
      return now === before ? 'unchanged' : 'counts'
    },
  })
  return (
    <>
      <PageHead title={t.title()} />
      <Sheet fill>
        {actions.isError && !forbidden ? (
          <div className="p-3">
            <LoadFailed title={sentence(actions.error, t.loadFailed())} requestId={actions.error instanceof ApiError ? actions.error.requestId : null} onRetry={() => void actions.refetch()}>
              {actions.data ? common.shownFrom(timeOf(actions.dataUpdatedAt)) : null}
            </LoadFailed>
          </div>
        ) : null}
        <div className="relative flex min-h-0 flex-1 flex-col">
          <Sweep on={stale} />
          <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={t.title()}>
            {forbidden ? <Empty icon="lock" title={t.noRight()}>{t.noRightHint()}</Empty> : null}
            {empty && page > 1 ? <Empty icon="filter" title={t.pastEnd()} act={<Link to="/operator_actions" className="link">{t.toFirst()}</Link>}>{t.pastEndHint()}</Empty> : null}
            {empty && page === 1 ? <Empty icon="layers" title={t.none()} act={<Link to="/jobs" className="link">{t.openJobs()}</Link>}>{t.noneHint()}</Empty> : null}
            {!forbidden && !empty ? <DataTable label={t.title()} columns={columns()} rows={rows} rowName={(action) => t.numberOf(action.id)} here={here} onHere={setHere} bones={late ? ACTIONS_PER_PAGE : 0} stale={stale} minWidth={1100} /> : null}
          </div>
        </div>
        {(actions.data?.totalItems ?? 0) > ACTIONS_PER_PAGE ? (
          <FootBar><Pager page={page} perPage={ACTIONS_PER_PAGE} total={actions.data?.totalItems} shown={rows.length} link={(next) => ({ to: '/operator_actions', search: next > 1 ? { page: next } : {} })} /></FootBar>
        ) : null}
      </Sheet>
    </>
  )
}
