// One import while it runs and when it has ended: percent, sums, errors, warnings.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError, sentence } from '@/api/errors'
import type { Import } from '@/api/types'
import { Button, buttonVariants } from '@/components/ui/button'
import { Banner, LoadFailed } from '@/components/ui/feedback'
import { Facts } from '@/components/ui/figures'
import { Icon } from '@/components/ui/icons'
import { PercentBar } from '@/components/ui/progress'
import { saveFile } from '@/lib/csv'
import { num } from '@/lib/format'
import { LineTable } from './line-table'
import { problemsCsv, problemsFileName } from './problems-csv'
import { useImport } from './queries'
import { ImportBadge, importFailure, importName } from './status'
import { t } from './texts'

function Sums({ of }: { of: Import }) {
  const items = [
    { name: t.file(), value: importName(of) },
    { name: t.rows(), value: of.rows },
    { name: t.added(), value: of.added },
    { name: t.updated(), value: of.updated },
    { name: t.unchanged(), value: of.unchanged },
  ]
  return <Facts items={items.map((item) => ({ name: item.name, value: typeof item.value === 'string' ? item.value : item.value == null ? '–' : num(item.value) }))} />
}

export function ImportResult({ id }: { id: number }) {
  const client = useQueryClient()
  const found = useImport(id)
  const of = found.data
  if (!of) {
    return found.isError ? (
      <LoadFailed title={sentence(found.error, t.loadFailed())} requestId={found.error instanceof ApiError ? found.error.requestId : null} onRetry={() => void found.refetch()} />
    ) : <div className="h-24" />
  }
  if (of.status === 1) {
    return (
      <div className="grid gap-3">
        <p className="font-medium">{importName(of)}</p>
        <p role="status">{of.startedAt ? t.working(of.percent) : t.queued()}</p>
        <PercentBar label={t.resultTitle(of.id)} percent={of.percent} />
        <p className="text-muted-foreground">{t.mayLeave()}</p>
      </div>
    )
  }
  const problems = of.errors.length + of.warnings.length
  return (
    <div className="grid gap-4">
      <div className="flex items-start justify-between gap-4">
        <Sums of={of} />
        <ImportBadge of={of} box />
      </div>
      {of.status === 3 ? <Banner tone="err" icon="err" title={importFailure(of)} /> : null}
      {of.status === 2 || of.status === 5 ? <p role="status" className="flex items-center gap-2 font-medium"><Icon name="ok" className="text-ok" />{t.succeeded()}</p> : null}
      {of.status === 4 ? <p role="status">{t.cancelled()}</p> : null}
      {of.errors.length > 0 ? (
        <section className="grid gap-2">
          <h3>{t.errors(of.errorCount)}</h3>
          {of.errorCount > of.errors.length ? <p className="text-xs text-muted-foreground">{t.firstOnly(of.errors.length)}</p> : null}
          <LineTable label={t.errorTable()} lines={of.errors} />
        </section>
      ) : null}
      {of.warnings.length > 0 ? (
        <section className="grid gap-2">
          <h3>{t.warnings(of.warningCount)}</h3>
          {of.warningCount > of.warnings.length ? <p className="text-xs text-muted-foreground">{t.firstOnly(of.warnings.length)}</p> : null}
          <LineTable label={t.warningTable()} lines={of.warnings} />
        </section>
      ) : null}
      <p className="flex flex-wrap gap-2 empty:hidden">
        {of.added + of.updated > 0 && of.status !== 3 ? (
          <Link to="/case_list" search={{ status: 'all' }} className={buttonVariants({ variant: 'primary' })} onClick={() => void client.invalidateQueries({ queryKey: ['cases'] })}>
            <Icon name="folder" />
            {t.openCases()}
          </Link>
        ) : null}
        {problems > 0 ? (
          <Button onClick={() => saveFile(problemsFileName(of, Date.now()), problemsCsv(of))}>
            <Icon name="download" />
            {t.download()}
          </Button>
        ) : null}
      </p>
    </div>
  )
}
