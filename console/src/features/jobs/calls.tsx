// The outward calls of a job: what was sent, what came back, what may be repeated.
import { useState } from 'react'
import type { LedgerCall } from '@/api/operations'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Copy } from '@/components/ui/copy'
import { Icon } from '@/components/ui/icons'
import { Sheet } from '@/components/ui/sheet'
import { dateTime, num, whenShort } from '@/lib/format'
import { indented } from './indented'
import { callClass, callLook, j, lasted, operationWord } from './job-texts'

function Content({ name, text }: { name: string; text: string }) {
  return (
    <div className="grid gap-1">
      <h3 className="flex items-center gap-1 text-xs">{name}<Copy label={j.copyContent(name)} value={text} /></h3>
      <pre className="max-h-72 overflow-auto rounded-md border bg-card px-2.5 py-2 font-mono text-xs leading-[18px] wrap-anywhere whitespace-pre-wrap" tabIndex={0} role="region" aria-label={name}>{indented(text)}</pre>
    </div>
  )
}

function Well({ call }: { call: LedgerCall }) {
  return (
    <div className="grid gap-3 border-b px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted-foreground">
        <span className="inline-flex items-center gap-1">{j.messageId()} <span className="font-mono text-foreground">{call.messageId}</span><Copy label={j.copyMessage()} value={call.messageId} /></span>
        {call.externalId ? <span>{j.externalId()} <span className="font-mono text-foreground">{call.externalId}</span></span> : null}
        <span>{callClass[call.class]()}</span>
      </p>
      {call.request ? <Content name={j.request()} text={call.request} /> : null}
      {call.response ? <Content name={j.response()} text={call.response} /> : null}
    </div>
  )
}

function columns(opened: number | null, onOpen: (id: number) => void): Column<LedgerCall>[] {
  return [
    { key: 'at', title: j.callColumns.at(), width: 96, className: 'text-muted-foreground', cell: (call) => <time dateTime={call.createdAt} title={dateTime(call.createdAt)}>{whenShort(call.createdAt)}</time> },
    { key: 'state', title: j.callColumns.state(), width: 156, cell: (call) => <Badge tone={callLook[call.state].tone} icon={callLook[call.state].icon}>{callLook[call.state].word()}</Badge> },
    { key: 'what', title: j.callColumns.what(), cell: (call) => <>{operationWord(call.operation)}{call.errorCode ? <span className="ml-2 font-mono text-xs text-muted-foreground">{call.errorCode}</span> : null}</>, hint: (call) => call.operation },
    { key: 'sent', title: j.callColumns.sent(), width: 72, numeric: true, className: 'text-muted-foreground', cell: (call) => num(call.sentCount) },
    { key: 'took', title: j.callColumns.took(), width: 88, numeric: true, className: 'text-muted-foreground', cell: (call) => (call.settledAt ? lasted(Math.max(0, Date.parse(call.settledAt) - Date.parse(call.createdAt))) : '–') },
    {
      key: 'open', title: j.callColumns.open(), silent: true, width: 44,
      cell: (call) => (
        <Button variant="ghost" size="mini" aria-expanded={opened === call.id} aria-label={`${opened === call.id ? j.hideCall() : j.showCall()}: ${operationWord(call.operation)}`} onClick={() => onOpen(call.id)}>
          <Icon name={opened === call.id ? 'up' : 'down'} className="size-3.5" />
        </Button>
      ),
    },
  ]
}

export function Calls({ calls }: { calls: LedgerCall[] }) {
  const [opened, setOpened] = useState<number | null>(null)
  return (
    <Sheet aria-labelledby="calls" className="overflow-hidden">
      <header className="flex min-h-11 items-center border-b px-4 py-2"><h2 id="calls">{j.calls()}</h2></header>
      {calls.length === 0 ? <p className="px-4 py-3 text-muted-foreground">{j.noCalls()}</p> : (
        <div className="overflow-x-auto">
          <DataTable
            label={j.calls()}
            columns={columns(opened, (id) => setOpened(opened === id ? null : id))}
            rows={calls}
            rowName={(call) => operationWord(call.operation)}
            tone={(call) => (call.state === 'refused' ? 'err' : call.state === 'unknown' ? 'warn' : undefined)}
            opened={opened}
            more={(call) => <Well call={call} />}
            minWidth={640}
          />
        </div>
      )}
    </Sheet>
  )
}
