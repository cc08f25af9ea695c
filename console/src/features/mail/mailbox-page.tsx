// The mails that went out or are about to, newest first.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Pager } from '@/components/data-table/pager'
import { useRows } from '@/components/data-table/use-rows'
import { Kbd } from '@/components/ui/chip'
import { Empty, Sweep, useLate } from '@/components/ui/feedback'
import { Fresh } from '@/components/ui/fresh'
import { Failed, isForbidden } from '@/components/ui/page-frame'
import { FootBar, PageHead, Sheet } from '@/components/ui/sheet'
import { useRole } from '@/features/auth/queries'
import { common } from '@/lib/common'
import { dateTime, num, timeOf } from '@/lib/format'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { text } from '@/lib/texts'
import { useFollow } from '@/lib/use-follow'
import { usePhone } from '@/lib/use-phone'
import { cn } from '@/lib/utils'
import { type Mail, MAILS_PER_PAGE, mailsQuery } from './queries'
import { MailBadge, mailKindWord } from './status'
import { t } from './texts'

const noRight = text('Õigus puudub', 'No permission')
const keysOpen = text('ava', 'open')
const quiet = <span className="text-muted-foreground">–</span>

const columns = (): Column<Mail>[] => {
  const c = t.columns
  return [
    { key: 'at', title: c.at(), width: 148, pinned: true, className: 'num text-left! text-muted-foreground', hint: (mail) => timeOf(mail.createdAt), cell: (mail) => <time dateTime={mail.createdAt}>{dateTime(mail.createdAt)}</time> },
    { key: 'to', title: c.to(), width: 160, hint: (mail) => mail.email ?? t.noAddress(), cell: (mail) => mail.to.name },
    { key: 'kind', title: c.kind(), width: 160, className: 'text-muted-foreground', hint: (mail) => mail.kind, cell: (mail) => mailKindWord(mail.kind) },
    { key: 'subject', title: c.subject(), hint: (mail) => mail.subject ?? undefined, cell: (mail) => <Link to="/mailbox/$id" params={{ id: String(mail.id) }} className="link block truncate leading-6 font-medium">{mail.subject ?? t.unwritten()}</Link> },
    { key: 'state', title: c.state(), width: 136, cell: (mail) => <MailBadge mail={mail} /> },
    { key: 'tries', title: c.tries(), width: 72, numeric: true, cell: (mail) => num(mail.attempts) },
    { key: 'error', title: c.error(), width: 200, hint: (mail) => mail.error ?? undefined, cell: (mail) => (mail.error ? <span className="font-mono text-xs">{mail.error.split('\n')[0]}</span> : quiet) },
  ]
}

function Card({ mail }: { mail: Mail }) {
  return (
    <li className={cn('grid gap-1 border-t px-3 py-2.5 first:border-t-0', mail.state === 'failed' && 'shadow-[inset_2px_0_0_var(--err-solid)]')}>
      <Link to="/mailbox/$id" params={{ id: String(mail.id) }} className="link min-h-6 font-medium wrap-anywhere">{mail.subject ?? t.unwritten()}</Link>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1"><MailBadge mail={mail} /><span className="text-xs text-muted-foreground">{mailKindWord(mail.kind)}</span></div>
      <p className="num flex flex-wrap gap-x-3 text-xs text-muted-foreground"><time dateTime={mail.createdAt}>{dateTime(mail.createdAt)}</time><span className="wrap-anywhere">{mail.to.name}</span>{mail.attempts > 1 ? <span>{t.columns.tries()} {num(mail.attempts)}</span> : null}</p>
      {mail.error ? <p className="font-mono text-xs wrap-anywhere text-err">{mail.error.split('\n')[0]}</p> : null}
    </li>
  )
}

export function MailboxPage() {
  const { page = 1 } = useSearch({ from: '/_app/mailbox/' })
  const client = useQueryClient()
  const navigate = useNavigate()
  const role = useRole()
  const phone = usePhone()
  const [every, setEvery] = useSteadyRefresh()
  const barred = role !== undefined && role.role !== 'dev'
  const found = useQuery({ ...mailsQuery(page), enabled: role?.role === 'dev', refetchOnWindowFocus: false })
  const late = useLate(found.isPending)
  const stale = useLate(found.isPlaceholderData && found.isFetching)
  const { refresh } = useFollow(every, async () => { if (role?.role === 'dev') await client.fetchQuery({ ...mailsQuery(page), retry: false }) })
  const forbidden = isForbidden(found) || barred
  const rows = found.data?.body.member ?? []
  const total = found.data?.body.totalItems
  const empty = found.data !== undefined && !found.isPlaceholderData && rows.length === 0
  const { here, setHere } = useRows(rows, { onOpen: (mail) => void navigate({ to: '/mailbox/$id', params: { id: String(mail.id) } }) })

  return (
    <>
      <PageHead title={t.title()} meta={total && !forbidden ? <span className="text-muted-foreground">{t.meta(total)}</span> : null}>
        {forbidden ? null : <Fresh at={found.data?.at ?? 0} every={every} choices={STEADY} onEvery={setEvery} busy={found.isFetching} onRefresh={refresh} />}
      </PageHead>
      <Failed of={found} title={t.loadFailed()} onRetry={refresh} />
      <Sheet fill className="min-h-[500px] max-sm:min-h-0">
        <div className="relative flex min-h-0 flex-1 flex-col">
          <Sweep on={stale} />
          <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={t.title()}>
            {forbidden ? <Empty icon="lock" title={noRight()}>{t.noRightHint()}</Empty> : null}
            {empty && page > 1 ? <Empty icon="filter" title={t.pastEnd()} act={<Link to="/mailbox" className="link">{t.toFirst()}</Link>}>{t.pastEndHint()}</Empty> : null}
            {empty && page === 1 ? <Empty icon="inbox" title={t.none()}>{t.noneHint()}</Empty> : null}
            {phone && !forbidden && rows.length > 0 ? <ul aria-label={t.title()} className={cn(stale && 'text-muted-foreground')}>{rows.map((mail) => <Card key={mail.id} mail={mail} />)}</ul> : null}
            {!forbidden && !empty && !(phone && rows.length > 0) ? (
              <DataTable label={t.title()} columns={columns()} rows={rows} rowName={(mail) => mail.subject ?? t.number(num(mail.id))} tone={(mail) => (mail.state === 'failed' ? 'err' : undefined)} here={here} onHere={setHere} bones={late ? MAILS_PER_PAGE : 0} stale={stale} minWidth={1180} />
            ) : null}
          </div>
        </div>
        <FootBar className="max-sm:overflow-x-auto">
          {rows.length > 0 && !forbidden ? <Pager page={page} perPage={MAILS_PER_PAGE} total={total} shown={rows.length} link={(next) => ({ to: '/mailbox', search: next > 1 ? { page: next } : {} })} /> : null}
          <span className="ml-auto flex items-center gap-1 whitespace-nowrap max-md:hidden"><Kbd>j</Kbd><Kbd>k</Kbd> {common.keysRow()} · <Kbd>Enter</Kbd> {keysOpen()}</span>
        </FootBar>
      </Sheet>
    </>
  )
}
