// The dashboard: what of this bureau runs, what needs a person, what has ended, and its imports.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiError } from '@/api/errors'
import type { BulkAction, Import } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Bone, LoadFailed, useLate } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import { PageHead, Sheet } from '@/components/ui/sheet'
import { useRole } from '@/features/auth/queries'
import { daysQuery } from '@/features/bulk-actions/queries'
import { ActionLine } from '@/features/bulk-actions/status'
import { importsQuery } from '@/features/imports/queries'
import { ImportBadge, importForbidden, importName, importSaid } from '@/features/imports/status'
import { common } from '@/lib/common'
import { timeOf, whenShort } from '@/lib/format'
import { usePoll } from '@/lib/use-poll'
import { came, sections } from './sections'
import { t } from './texts'

const LATEST = 8

function Section({ title, hint, more, children }: { title: string; hint: string; more?: ReactNode; children: ReactNode }) {
  return (
    <Sheet className="flex-none overflow-hidden">
      <header className="flex items-baseline gap-2 border-b px-4 py-2.5">
        <h2 className="flex-none">{title}</h2>
        <span className="min-w-0 truncate text-xs text-muted-foreground">{hint}</span>
        {more ? <span className="ml-auto flex-none">{more}</span> : null}
      </header>
      {children}
    </Sheet>
  )
}

function Quiet({ children }: { children: string }) {
  return <p className="px-4 py-3 text-muted-foreground">{children}</p>
}

function ImportLine({ of }: { of: Import }) {
  const at = of.finishedAt ?? of.startedAt ?? of.createdAt
  return (
    <li className={`border-t first:border-t-0 ${of.status === 3 ? 'shadow-[inset_2px_0_0_var(--err-solid)]' : ''}`}>
      <Link to="/case_list" search={{ import: of.id }} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-2.5 -outline-offset-2 hover:bg-accent">
        <span className="truncate font-medium">{importName(of)}</span>
        <span className="justify-self-end"><ImportBadge of={of} /></span>
        <span className="truncate text-xs text-muted-foreground">
          {importSaid(of)}
        </span>
        <span className="justify-self-end text-xs text-muted-foreground">{at ? whenShort(at) : ''}</span>
      </Link>
    </li>
  )
}

function Waiting() {
  return (
    <div className="grid gap-4 p-4">
      {['w-1/2', 'w-2/3', 'w-2/5'].map((width) => <Bone key={width} className={width} />)}
    </div>
  )
}

export function DashboardPage() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const role = useRole()
  const days = useQuery(daysQuery(1))
  const sent = useQuery(importsQuery)
  const late = useLate(days.isPending || sent.isPending)
  const { running, attention, finished } = sections(days.data?.member ?? [])
  const importing = sent.data?.member.filter((one) => one.status === 1) ?? []
  const failedImports = sent.data?.member.filter((one) => one.status === 3) ?? []
  const moving = running.length > 0 || importing.length > 0

  usePoll({
    active: moving,
    ask: async () => {
      const [nowDays, nowSent] = await Promise.all([client.fetchQuery({ ...daysQuery(1), staleTime: 0, retry: false }), client.fetchQuery({ ...importsQuery, staleTime: 0, retry: false })])
      return came([days.data?.member.flatMap((day) => day.member), sent.data?.member], [nowDays.member.flatMap((day) => day.member), nowSent.member])
    },
  })

  const failed = (title: string, query: { error: unknown; refetch: () => unknown; data: unknown; dataUpdatedAt: number }) => (
    <div className="p-3">
      <LoadFailed title={title} requestId={query.error instanceof ApiError ? query.error.requestId : null} onRetry={() => void query.refetch()}>
        {query.data ? common.shownFrom(timeOf(query.dataUpdatedAt)) : null}
      </LoadFailed>
    </div>
  )
  const list = (found: BulkAction[], quiet: string) => {
    if (days.isPending) return late ? <Waiting /> : <div className="h-24" />
    // What could not be read is no reason to say that there is none.
    if (!days.data) return null
    return found.length > 0 ? <ul>{found.slice(0, LATEST).map((action) => <ActionLine key={action.id} action={action} />)}</ul> : <Quiet>{quiet}</Quiet>
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto">
      <PageHead title={t.title()}>
        {days.dataUpdatedAt ? <span className="text-xs text-muted-foreground">{common.dataFrom()} <b className="font-medium text-foreground">{timeOf(days.dataUpdatedAt)}</b></span> : null}
        <Button reason={role && role.role !== 'KT' ? importForbidden() : null} onClick={() => void navigate({ to: '/case_list', search: { dialog: 'import' } })}>
          <Icon name="upload" />
          {t.import()}
        </Button>
      </PageHead>
      {days.isError ? failed(t.actionsFailed(), days) : null}
      <div className="grid grid-cols-2 items-start gap-3 max-lg:grid-cols-[minmax(0,1fr)]">
        <div className="grid gap-3">
          <Section title={t.running()} hint={t.runningHint()}>
            {importing.length > 0 ? <ul className="border-b last:border-b-0">{importing.map((one) => <ImportLine key={one.id} of={one} />)}</ul> : null}
            {running.length > 0 || importing.length === 0 ? list(running, t.nothingRuns()) : null}
          </Section>
          <Section title={t.attention()} hint={t.attentionHint()}>
            {failedImports.length > 0 ? <ul className="border-b last:border-b-0">{failedImports.map((one) => <ImportLine key={one.id} of={one} />)}</ul> : null}
            {attention.length > 0 || failedImports.length === 0 ? list(attention, t.nothingFailed()) : null}
          </Section>
        </div>
        <div className="grid gap-3">
          <Section title={t.imports()} hint={t.importsHint()}>
            {sent.isError ? failed(t.importsFailed(), sent) : null}
            {sent.isPending ? (late ? <Waiting /> : <div className="h-24" />) : null}
            {sent.data ? (sent.data.member.length > 0 ? <ul>{sent.data.member.filter((one) => one.status !== 1).map((one) => <ImportLine key={one.id} of={one} />)}</ul> : <Quiet>{t.noImports()}</Quiet>) : null}
          </Section>
          <Section title={t.finished()} hint={t.finishedHint()} more={<Link to="/bulk_actions" className="link -my-1 inline-flex min-h-6 items-center text-xs">{t.all()}</Link>}>{list(finished, t.nothingFinished())}</Section>
        </div>
      </div>
    </div>
  )
}
