// The payload of a job as a tree; personal data is masked until it is asked for, which is audited.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, report } from '@/api/errors'
import type { WholeJob } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Copy } from '@/components/ui/copy'
import { Icon } from '@/components/ui/icons'
import { JsonTree } from '@/components/ui/json-tree'
import { Sheet } from '@/components/ui/sheet'
import { refusal } from '@/lib/allowed'
import { j } from './job-texts'
import { unmask } from './queries'

export function PayloadSheet({ job }: { job: WholeJob }) {
  const [open, setOpen] = useState<{ payload: unknown } | null>(null)
  const ask = useMutation({
    mutationFn: () => unmask(job.id),
    meta: { quiet: true },
    onSuccess: setOpen,
    onError: (error) => report(error instanceof ApiError ? error : null, j.unmaskFailed()),
  })
  const payload = open ? open.payload : job.payload
  const none = payload === null || payload === undefined || (typeof payload === 'object' && Object.keys(payload).length === 0)
  return (
    <Sheet aria-labelledby="payload">
      <header className="flex min-h-11 items-center gap-2 border-b px-4 py-2">
        <h2 id="payload" className="mr-auto">{j.payload()}</h2>
        {job.payloadMasked ? (
          <Button variant="ghost" aria-pressed={open !== null} reason={open ? null : refusal(job, 'unmask')} disabled={ask.isPending} onClick={() => (open ? setOpen(null) : ask.mutate())}>
            <Icon name="eye" />
            {open ? j.mask() : j.unmask()}
          </Button>
        ) : null}
        {none ? null : <Copy label={j.copyPayload()} value={JSON.stringify(payload, null, 2)} />}
      </header>
      <div className="max-h-[420px] overflow-auto px-3 py-2.5" tabIndex={0} role="region" aria-labelledby="payload">
        {none ? <p className="px-1 text-muted-foreground">{j.noPayload()}</p> : <JsonTree label={j.payload()} value={payload} />}
      </div>
      {job.payloadMasked ? <p className="border-t px-4 py-2 text-xs text-muted-foreground">{j.audited()}</p> : null}
    </Sheet>
  )
}
