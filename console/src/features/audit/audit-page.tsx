// What people and the machine did: who, in which role, when, to what, before and after.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { ApiError, report, sentence } from '@/api/errors'
import type { AuditEntry } from '@/api/operations'
import { useSession } from '@/api/session'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { KeysetPager } from '@/components/data-table/keyset-pager'
import { NewRows } from '@/components/data-table/new-rows'
import { useHeldRows } from '@/components/data-table/use-held-rows'
import { useRows } from '@/components/data-table/use-rows'
import { Button } from '@/components/ui/button'
import { ChipBar } from '@/components/ui/chip-bar'
import { Kbd } from '@/components/ui/chip'
import { Empty, LoadFailed, Sweep, useLate } from '@/components/ui/feedback'
import { Fresh } from '@/components/ui/fresh'
import { Icon } from '@/components/ui/icons'
import { FootBar, PageHead, Sheet } from '@/components/ui/sheet'
import { roleShort } from '@/features/auth/status'
import { ViewsMenu } from '@/features/saved-views/views-menu'
import { common } from '@/lib/common'
import { dateTime, num, timeOf } from '@/lib/format'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { toasts } from '@/lib/toasts'
import { usePoll } from '@/lib/use-poll'
import { ObjectLink, Well } from './entry'
import { FilterBar } from './filter-bar'
import { chipsOf } from './chips'
import { type AuditFilter, type AuditSearch, filterOf, withFilter } from './filters'
import { auditQuery, ENTRIES_PER_PAGE, saveAudit } from './queries'
import { actionWord, t } from './texts'

function who(entry: AuditEntry): string {
  const name = entry.name ?? entry.username
  return name === null ? t.machine() : `${name}${entry.role ? ` (${roleShort[entry.role]()})` : ''}`
}

const columns = (opened: number | undefined, onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] => [
  { key: 'at', title: t.columns.at(), width: 148, pinned: true, className: 'num text-left! text-muted-foreground', cell: (entry) => <time dateTime={entry.at}>{dateTime(entry.at)}</time>, hint: (entry) => timeOf(entry.at) },
  { key: 'who', title: t.columns.who(), width: 210, cell: who, hint: (entry) => entry.username ?? undefined },
  { key: 'bureau', title: t.columns.bureau(), width: 64, className: 'text-muted-foreground', cell: (entry) => entry.bureau.code, hint: (entry) => entry.bureau.name },
  { key: 'action', title: t.columns.action(), width: 190, className: 'font-medium', cell: (entry) => actionWord(entry.action), hint: (entry) => entry.action },
  { key: 'object', title: t.columns.object(), width: 200, cell: (entry) => <ObjectLink entry={entry} /> },
  { key: 'what', title: t.columns.what(), cell: (entry) => entry.reason ?? entry.message ?? <span className="text-muted-foreground">–</span>, hint: (entry) => entry.reason ?? entry.message ?? undefined },
  {
    key: 'open', title: t.columns.open(), silent: true, width: 44,
    cell: (entry) => (
      <Button variant="ghost" size="mini" aria-expanded={opened === entry.id} aria-label={`${opened === entry.id ? t.hide() : t.show()}: ${actionWord(entry.action)} ${num(entry.id)}`} onClick={() => onOpen(entry)}>
        <Icon name={opened === entry.id ? 'up' : 'down'} className="size-3.5" />
      </Button>
    ),
  },
]

function CsvButton({ filter }: { filter: AuditFilter }) {
  const [busy, setBusy] = useState(false)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  async function download() {
    const control = new AbortController()
    running.current = control
    setBusy(true)
    try {
      await saveAudit(filter, control.signal)
    } catch (error) {
      if (!control.signal.aborted) report(error instanceof ApiError ? error : null, t.csvFailed())
    } finally {
      setBusy(false)
    }
  }
  return <Button disabled={busy} onClick={() => void download()}><Icon name={busy ? 'run' : 'download'} />{t.csv()}</Button>
}

function Nothing({ search, filtered, onReset }: { search: AuditSearch; filtered: number; onReset: () => void }) {
  if (search.after) return <Empty icon="filter" title={t.pastEnd()} act={<Link to="/audit" search={filterOf(search)} className="link">{t.toNewest()}</Link>}>{t.pastEndHint()}</Empty>
  if (filtered === 0) return <Empty icon="audit" title={t.nothing()}>{t.nothingHint()}</Empty>
  return <Empty icon="filter" title={t.noMatch()} act={<Button onClick={onReset}>{t.reset()}</Button>}>{t.noMatchHint(filtered)}</Empty>
}

export function AuditPage() {
  const search = useSearch({ from: '/_app/audit' })
  const navigate = useNavigate({ from: '/audit' })
  const client = useQueryClient()
  const session = useSession()
  const [every, setEvery] = useSteadyRefresh()
  const [acted, setActed] = useState(0)
  const filter = filterOf(search)
  const found = useQuery({ ...auditQuery(filter, search.after), placeholderData: keepPreviousData, refetchOnWindowFocus: false })
  const held = useHeldRows(JSON.stringify([filter, search.after]), found, acted)
  const late = useLate(found.isPending)
  const stale = useLate(held.stale)
  const chips = chipsOf(filter)
  const forbidden = found.error instanceof ApiError && found.error.status === 403
  const empty = found.data !== undefined && !found.isPlaceholderData && held.rows.length === 0
  const ask = () => client.fetchQuery({ ...auditQuery(filter, search.after), staleTime: 0, retry: false })
  usePoll({ active: session !== null && !forbidden, every, ask: async () => { await ask(); return 'unchanged' }, resetKey: acted })

  const open = (entry: AuditEntry) => void navigate({ search: { ...search, entry: search.entry === entry.id ? undefined : entry.id }, replace: true, resetScroll: false })
  const reset = () => {
    void navigate({ search: {} })
    toasts.undoable(t.resetDone(), () => void navigate({ search }))
  }
  const { here, setHere } = useRows(held.rows, { onOpen: open })

  return (
    <>
      <PageHead title={t.title()}>
        <Fresh at={found.dataUpdatedAt} every={every} choices={STEADY} onEvery={setEvery} busy={found.isFetching} onRefresh={() => { setActed(Date.now()); ask().catch(() => undefined) }} />
        <ViewsMenu page="audit" search={filter} />
        <CsvButton filter={filter} />
      </PageHead>
      <Sheet fill className="min-h-[560px] max-sm:min-h-0">
        <FilterBar search={search} change={(part) => void navigate({ search: withFilter(search, part) })} />
        <ChipBar chips={chips} onRemove={(key) => void navigate({ search: withFilter(search, { [key]: undefined }) })} onReset={reset} />
        {found.isError && !forbidden ? (
          <div className="p-3">
            <LoadFailed title={sentence(found.error, t.loadFailed())} requestId={found.error instanceof ApiError ? found.error.requestId : null} onRetry={() => void found.refetch()}>
              {found.data ? common.shownFrom(timeOf(found.dataUpdatedAt)) : null}
            </LoadFailed>
          </div>
        ) : null}
        <div className="relative flex min-h-0 flex-1 flex-col max-sm:min-h-[400px]">
          <Sweep on={stale} />
          <NewRows waiting={held.waiting} gone={0} onShow={held.showNew} />
          <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={t.table()}>
            {forbidden ? <Empty icon="lock" title={t.noRight()}>{t.noRightHint()}</Empty> : null}
            {empty && !forbidden ? <Nothing search={search} filtered={chips.length} onReset={reset} /> : null}
            {!empty && !forbidden ? (
              <DataTable
                label={t.table()}
                columns={columns(search.entry, open)}
                rows={held.rows}
                rowName={(entry) => num(entry.id)}
                here={here}
                onHere={setHere}
                opened={search.entry ?? null}
                more={(entry) => <Well entry={entry} />}
                bones={late ? ENTRIES_PER_PAGE : 0}
                stale={stale}
                minWidth={1060}
              />
            ) : null}
          </div>
        </div>
        <FootBar className="max-sm:overflow-x-auto">
          {held.rows.length > 0 ? (
            <KeysetPager
              place={JSON.stringify(['audit', filter])}
              after={search.after}
              next={found.isPlaceholderData ? undefined : found.data?.next}
              shown={held.rows.length}
              link={(after) => ({ to: '/audit', search: { ...search, entry: undefined, after } })}
            />
          ) : null}
          <span className="ml-auto flex items-center gap-1 whitespace-nowrap max-md:hidden"><Kbd>j</Kbd><Kbd>k</Kbd> {common.keysRow()} · <Kbd>Enter</Kbd> {t.keysOpen()}</span>
        </FootBar>
      </Sheet>
    </>
  )
}
