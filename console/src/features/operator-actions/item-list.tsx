// The jobs of an operator action by their end, a page at a time.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ApiError, sentence } from '@/api/errors'
import type { OperatorAction, OperatorItem } from '@/api/operations'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { KeysetPager } from '@/components/data-table/keyset-pager'
import { useRows } from '@/components/data-table/use-rows'
import { Chip, Kbd } from '@/components/ui/chip'
import { Empty, LoadFailed, Sweep, useLate } from '@/components/ui/feedback'
import { CaseNumber } from '@/components/ui/figures'
import { FootBar, type IndexTab, IndexTabs, Sheet } from '@/components/ui/sheet'
import { kindWord, queueWord } from '@/features/jobs/status'
import { common } from '@/lib/common'
import { num, timeOf, whenShort } from '@/lib/format'
import { ITEM_TABS, type ItemSearch } from './item-search'
import { ITEMS_PER_PAGE, itemsQuery } from './queries'
import { itemLook, LookBadge } from './status'
import { t } from './texts'

type Row = OperatorItem & { id: number }

const columns = (): Column<Row>[] => [
  { key: 'job', title: t.columns.job(), width: 112, pinned: true, cell: (item) => <Link to="/jobs/$id" params={{ id: String(item.jobId) }} className="link inline-flex min-h-6 items-center font-medium">{num(item.jobId)}</Link> },
  { key: 'state', title: t.columns.state(), width: 170, cell: (item) => <LookBadge look={itemLook[item.state]} /> },
  { key: 'why', title: t.columns.why(), cell: (item) => item.text?.split('\n')[0] ?? '–', hint: (item) => item.text ?? undefined },
  { key: 'kind', title: t.columns.jobKind(), width: 200, cell: (item) => (item.kind ? kindWord(item.kind) : '–'), hint: (item) => item.kind ?? undefined },
  { key: 'queue', title: t.columns.queue(), width: 120, cell: (item) => (item.queue ? queueWord[item.queue]() : '–') },
  { key: 'bureau', title: t.columns.bureau(), width: 64, cell: (item) => item.bureauCode ?? '–' },
  { key: 'case', title: t.columns.case(), width: 136, cell: (item) => (item.caseNumber ? <CaseNumber number={item.caseNumber} /> : '–') },
  { key: 'settled', title: t.columns.settled(), width: 132, numeric: true, className: 'text-muted-foreground', cell: (item) => (item.settledAt ? whenShort(item.settledAt) : '–') },
]

function Tabs({ action, search }: { action: OperatorAction; search: ItemSearch }) {
  const params = { id: String(action.id) }
  const tabs: IndexTab[] = [
    { key: 'all', word: t.all(), count: action.total, current: search.tab === undefined, link: { to: '/operator_actions/$id', params, search: {} } },
    ...ITEM_TABS.map((tab): IndexTab => ({ key: tab, word: itemLook[tab].word(), icon: itemLook[tab].icon, tone: itemLook[tab].tone, count: action.counts[tab], current: search.tab === tab, link: { to: '/operator_actions/$id', params, search: { tab } } })),
  ]
  return <IndexTabs label={t.itemTabs()} tabs={tabs} />
}

export function ItemList({ action }: { action: OperatorAction }) {
  const search = useSearch({ from: '/_app/operator_actions/$id' })
  const navigate = useNavigate({ from: '/operator_actions/$id' })
  const items = useQuery({ ...itemsQuery({ id: action.id, ...(search.tab ? { state: [search.tab] } : {}), ...(search.reason ? { reason: search.reason } : {}), ...(search.after ? { after: search.after } : {}) }), refetchOnWindowFocus: false })
  const late = useLate(items.isPending)
  const stale = useLate(items.isPlaceholderData && items.isFetching)
  const rows: Row[] = (items.data?.member ?? []).map((item) => ({ ...item, id: item.jobId }))
  const { here, setHere } = useRows(rows, { onOpen: (item) => void navigate({ to: '/jobs/$id', params: { id: String(item.jobId) } }) })
  const empty = items.data !== undefined && !items.isPlaceholderData && rows.length === 0
  const why = action.skipped.find((one) => one.reason === search.reason)
  return (
    <>
      <Tabs action={action} search={search} />
      <Sheet fill className="min-h-[420px] max-sm:min-h-0">
        {search.reason ? (
          <div className="flex min-h-9 items-center border-b px-3 py-1">
            <Chip name={t.reasonIs()} value={why?.text ?? search.reason} removeLabel={t.removeReason()} onRemove={() => void navigate({ search: { ...search, reason: undefined, after: undefined } })} />
          </div>
        ) : null}
        {items.isError ? (
          <div className="p-3">
            <LoadFailed title={sentence(items.error, t.itemsFailed())} requestId={items.error instanceof ApiError ? items.error.requestId : null} onRetry={() => void items.refetch()}>
              {items.data ? common.shownFrom(timeOf(items.dataUpdatedAt)) : null}
            </LoadFailed>
          </div>
        ) : null}
        <div className="relative flex min-h-0 flex-1 flex-col">
          <Sweep on={stale} />
          <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={t.items()}>
            {empty ? (
              <Empty icon="filter" title={t.noItems()} act={<Link to="/operator_actions/$id" params={{ id: String(action.id) }} search={{}} className="link">{t.showAll()}</Link>}>{t.noItemsHint()}</Empty>
            ) : (
              <DataTable label={t.items()} columns={columns()} rows={rows} rowName={(item) => num(item.jobId)} here={here} onHere={setHere} bones={late ? ITEMS_PER_PAGE : 0} stale={stale} tone={(item) => (item.state === 'failed' ? 'err' : undefined)} minWidth={1040} />
            )}
          </div>
        </div>
        <FootBar className="max-sm:overflow-x-auto">
          {rows.length > 0 ? (
            <KeysetPager
              place={JSON.stringify(['items', action.id, search.tab, search.reason])}
              order="place"
              after={search.after}
              next={items.isPlaceholderData ? undefined : items.data?.next}
              shown={rows.length}
              link={(after) => ({ to: '/operator_actions/$id', params: { id: String(action.id) }, search: { ...search, after } })}
            />
          ) : null}
          <span className="ml-auto flex items-center gap-1 whitespace-nowrap max-md:hidden"><Kbd>j</Kbd><Kbd>k</Kbd> {common.keysRow()} · <Kbd>Enter</Kbd> {t.keysOpen()}</span>
        </FootBar>
      </Sheet>
    </>
  )
}
