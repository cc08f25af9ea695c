// One mail: to whom and how it stands, what it says, as its reader sees it, as text, and its headers.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '@/api/errors'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Bone, Empty, useLate } from '@/components/ui/feedback'
import { Facts } from '@/components/ui/figures'
import { Fresh } from '@/components/ui/fresh'
import { Failed, isForbidden, NoRight } from '@/components/ui/page-frame'
import { IndexTabs, PageHead, Sheet } from '@/components/ui/sheet'
import { useRole } from '@/features/auth/queries'
import { dateTime, num } from '@/lib/format'
import { STEADY, useSteadyRefresh } from '@/lib/refresh-choice'
import { usePageTitle } from '@/lib/title'
import { useFollow } from '@/lib/use-follow'
import { MailFrame } from './frame'
import { MAIL_TABS, type MailTab } from './mail-search'
import { mailQuery, type WholeMail } from './queries'
import { MailBadge, mailKindWord } from './status'
import { t } from './texts'

type Content = NonNullable<WholeMail['content']>
type Header = Content['headers'][number] & { id: number }

const headerColumns = (): Column<Header>[] => [
  { key: 'name', title: t.headerName(), width: 200, className: 'font-mono text-xs text-muted-foreground', cell: (header) => header.name },
  { key: 'value', title: t.headerValue(), className: 'font-mono text-xs whitespace-normal! wrap-anywhere py-1', cell: (header) => header.value },
]

const line = 'inline-flex min-h-6 items-center'

function MailFacts({ mail }: { mail: WholeMail }) {
  const f = t.facts
  const fact = (name: string, value: ReactNode) => ({ name, value: <span className={line}>{value}</span> })
  return (
    <Sheet className="mb-3 flex-none px-4 py-3">
      <Facts
        className="flex-wrap gap-y-2 max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-3 max-sm:[&>div]:border-l-0 max-sm:[&>div]:px-0 max-sm:[&_dd]:wrap-anywhere max-sm:[&_dd]:whitespace-normal"
        items={[
          fact(f.to(), mail.to.name), fact(f.email(), mail.email ?? t.noAddress()), fact(f.kind(), mailKindWord(mail.kind)), fact(f.notices(), num(mail.notices)),
          fact(f.made(), dateTime(mail.createdAt)), fact(f.sent(), mail.sentAt ? dateTime(mail.sentAt) : '–'), fact(f.tries(), num(mail.attempts)),
          { name: f.job(), value: mail.jobId ? <Link to="/jobs/$id" params={{ id: String(mail.jobId) }} className={`link ${line}`}>{t.number(num(mail.jobId))}</Link> : '–' },
        ]}
      />
      {mail.error ? <p className="mt-2 border-t pt-2"><span className="text-muted-foreground">{t.why()}: </span><span className="font-mono text-xs wrap-anywhere whitespace-pre-line text-err">{mail.error}</span></p> : null}
    </Sheet>
  )
}

function Shown({ mail, content, tab }: { mail: WholeMail; content: Content; tab: MailTab }) {
  if (tab === 'headers') return <DataTable<Header> label={t.tabs.headers()} columns={headerColumns()} rows={content.headers.map((header, id) => ({ ...header, id }))} rowName={(header) => header.name} />
  if (tab === 'text') return content.text == null ? <p className="p-4 text-muted-foreground">{t.noText()}</p> : <pre className="p-4 font-mono text-xs leading-[18px] wrap-anywhere whitespace-pre-wrap">{content.text}</pre>
  return content.html == null ? <p className="p-4 text-muted-foreground">{t.noHtml()}</p> : <MailFrame title={t.frame(mail.subject ?? '')} html={content.html} />
}

export function MailPage() {
  const { id } = useParams({ from: '/_app/mailbox/$id' })
  const { tab = 'html' } = useSearch({ from: '/_app/mailbox/$id' })
  const client = useQueryClient()
  const role = useRole()
  const [every, setEvery] = useSteadyRefresh()
  const barred = role !== undefined && role.role !== 'dev'
  const found = useQuery({ ...mailQuery(Number(id)), enabled: role?.role === 'dev', refetchOnWindowFocus: false })
  const late = useLate(found.isPending)
  const mail = found.data?.body
  const title = mail ? (mail.subject ?? `${mailKindWord(mail.kind)} ${t.unwritten()}`) : t.title()
  usePageTitle(mail ? `${title} ${t.number(num(mail.id))}` : title)
  const { refresh } = useFollow(every, async () => { if (role?.role === 'dev') await client.fetchQuery({ ...mailQuery(Number(id)), retry: false }) })
  const forbidden = isForbidden(found) || barred
  const gone = found.error instanceof ApiError && found.error.status === 404
  const content = mail?.content

  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible">
      <PageHead
        title={title}
        crumbs={
          <nav aria-label={t.crumbs()} className="flex items-center gap-1.5 text-xs text-muted-foreground">
            <Link to="/mailbox" activeOptions={{ exact: true }} className="link inline-flex min-h-6 items-center">{t.title()}</Link>
            <span>/</span>
            <span>{t.number(id)}</span>
          </nav>
        }
        meta={mail ? <MailBadge mail={mail} box /> : null}
      >
        {forbidden ? null : <Fresh at={found.data?.at ?? 0} every={every} choices={STEADY} onEvery={setEvery} busy={found.isFetching} onRefresh={refresh} />}
      </PageHead>
      {gone ? <Sheet><Empty icon="filter" title={t.gone()} act={<Link to="/mailbox" className="link">{t.toList()}</Link>}>{t.goneHint()}</Empty></Sheet> : <Failed of={found} title={t.oneFailed()} onRetry={refresh} />}
      {forbidden ? <NoRight>{t.noRightHint()}</NoRight> : null}
      {late && !forbidden ? <Sheet className="grid gap-6 p-4">{['w-1/4', 'w-full', 'w-2/3'].map((width) => <Bone key={width} className={width} />)}</Sheet> : null}
      {mail ? <MailFacts mail={mail} /> : null}
      {mail && !content ? <Sheet><Empty icon="inbox" title={t.noContent()}>{t.noContentHint()}</Empty></Sheet> : null}
      {mail && content ? (
        <>
          <IndexTabs label={t.tabs.label()} tabs={MAIL_TABS.map((key) => ({ key, word: t.tabs[key](), current: key === tab, link: { to: '/mailbox/$id', params: { id }, search: key === 'html' ? {} : { tab: key }, replace: true, resetScroll: false } }))} />
          <Sheet className="flex-none overflow-hidden"><Shown mail={mail} content={content} tab={tab} /></Sheet>
        </>
      ) : null}
    </div>
  )
}
