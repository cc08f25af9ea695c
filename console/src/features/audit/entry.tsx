// One entry of the log: what it is about, and what changed, field by field.
import { Link } from '@tanstack/react-router'
import type { AuditEntry, QueueName } from '@/api/operations'
import { Copy } from '@/components/ui/copy'
import { num } from '@/lib/format'
import { cronWord } from '@/features/crons/status'
import { pausedWord, registerWord } from '@/features/operations/status'
import { cn } from '@/lib/utils'
import { diff } from './diff'
import { classWord, t } from './texts'

const inline = 'link inline-flex min-h-6 items-center'

type Written = { queue?: QueueName | null; kind?: string | null; register?: string; cron?: string }

/** "Paus 2: Järjekord Registrid": what was held or tried, where the entry says it. */
function objectName({ objectClass, objectId, before, after }: AuditEntry): string {
  const name = objectId ? `${classWord(objectClass)} ${num(objectId)}` : classWord(objectClass)
  const { queue = null, kind = null, register, cron } = { ...(before as Written | null), ...(after as Written | null) }
  if (objectClass === 'Register' && register) return registerWord(register)
  if (objectClass === 'Cron' && cron) return cronWord(cron)
  return objectClass === 'Pause' && (queue || kind) ? `${name}: ${pausedWord({ queue, kind, bureau: null })}` : name
}

/** The object with the page that shows it, where there is one. */
export function ObjectLink({ entry }: { entry: AuditEntry }) {
  const id = entry.objectId
  const name = objectName(entry)
  if (entry.objectClass === 'Job' && id) return <Link to="/jobs/$id" params={{ id: String(id) }} className={inline}>{name}</Link>
  if (entry.objectClass === 'BulkActionTask' && id) return <Link to="/jobs/$id" params={{ id: String(id) }} className={inline}>{name}</Link>
  if (entry.objectClass === 'OperatorAction' && id) return <Link to="/operator_actions/$id" params={{ id: String(id) }} className={inline}>{name}</Link>
  if (entry.objectClass === 'BulkAction' && id) return <Link to="/bulk_actions/$id" params={{ id: String(id) }} className={inline}>{name}</Link>
  if (entry.objectClass === 'Cron' && id) return <Link to="/crons/$id" params={{ id: String(id) }} className={inline}>{name}</Link>
  if (entry.objectClass === 'AlertRule') return <Link to="/alerts" className={inline}>{name}</Link>
  return name
}

function Value({ value, tone }: { value: string | null; tone?: string | undefined }) {
  return value === null ? <span className="text-muted-foreground">–</span> : <span className={cn('font-mono text-xs wrap-anywhere whitespace-pre-wrap', tone)}>{value}</span>
}

export function Well({ entry }: { entry: AuditEntry }) {
  const changes = diff(entry.before, entry.after)
  return (
    <div className="grid gap-2.5 border-b px-4 py-3">
      <dl className="flex flex-wrap items-center gap-x-6 gap-y-1 text-xs">
        {entry.reason ? <div className="flex gap-2"><dt className="text-muted-foreground">{t.reason()}</dt><dd>{entry.reason}</dd></div> : null}
        {entry.message ? <div className="flex gap-2"><dt className="text-muted-foreground">{t.message()}</dt><dd className="whitespace-pre-line">{entry.message}</dd></div> : null}
        {entry.jobId ? <div className="flex gap-2"><dt className="text-muted-foreground">{t.job()}</dt><dd><Link to="/jobs/$id" params={{ id: String(entry.jobId) }} className="link">{num(entry.jobId)}</Link></dd></div> : null}
        {entry.requestId ? <div className="flex items-center gap-2"><dt className="text-muted-foreground">{t.request()}</dt><dd className="inline-flex items-center gap-1 font-mono">{entry.requestId}<Copy label={t.copyRequest()} value={entry.requestId} /></dd></div> : null}
      </dl>
      {changes.length === 0 ? <p className="text-muted-foreground">{t.noChange()}</p> : (
        <table aria-label={t.changes()} className="w-full max-w-4xl table-fixed border-collapse rounded-md border bg-card text-left [&_td]:border-t [&_td]:px-2.5 [&_td]:py-1 [&_td]:align-baseline [&_th]:px-2.5 [&_th]:py-1.5 [&_th]:text-2xs [&_th]:font-medium [&_th]:text-muted-foreground">
          <thead><tr><th scope="col" className="w-1/4">{t.field()}</th><th scope="col">{t.before()}</th><th scope="col">{t.after()}</th></tr></thead>
          <tbody>
            {changes.map((one) => (
              <tr key={one.field} className={cn(!one.changed && 'text-muted-foreground')}>
                <td className="font-mono text-xs wrap-anywhere">{one.field || '–'}</td>
                <td><Value value={one.before} tone={one.changed && one.before !== null && one.after !== null ? 'line-through decoration-err-solid' : undefined} /></td>
                <td>{one.changed ? <Value value={one.after} tone="font-semibold" /> : <span className="text-xs">{t.same()}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
