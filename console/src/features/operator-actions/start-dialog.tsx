// Retrying or cancelling everything that matches a filter: preview, then one confirmation that names verb and number.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ApiError, report } from '@/api/errors'
import type { JobFilter, OperatorKind, OperatorPreview } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, Steps } from '@/components/ui/dialog'
import { Banner } from '@/components/ui/feedback'
import { Hint, Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { ReasonField, tooLong } from '@/components/ui/reason'
import { Stepper } from '@/components/ui/stepper'
import { filterSaid } from '@/features/jobs/queries'
import { common } from '@/lib/common'
import { countText } from '@/lib/counts'
import { num } from '@/lib/format'
import { toasts } from '@/lib/toasts'
import { useIdempotencyKeys } from '@/lib/use-idempotency-keys'
import { launch, type Order, previewQuery } from './queries'
import { StartPreview } from './start-preview'
import { isTyped, mustType, processedText, takenOf } from './sums'
import { kindLook, s } from './texts'

function whyNot(preview: OperatorPreview | undefined, failed: boolean): string | null {
  if (failed) return s.failed()
  if (!preview) return s.loading()
  if (preview.count.value === 0) return s.nothing()
  if (preview.count.kind === 'at_least') return s.tooMany(num(preview.count.value))
  return takenOf(preview) === 0 ? s.allSkipped() : null
}

export function OperatorActionDialog({ kind, filter, onClose }: { kind: OperatorKind; filter: JobFilter; onClose: () => void }) {
  const preview = useQuery(previewQuery(kind, filter))
  const [confirming, setConfirming] = useState(false)
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [perSecond, setPerSecond] = useState<number | null>(null)
  const [badPace, setBadPace] = useState(false)
  const safe = useRef<HTMLButtonElement>(null)
  const key = useIdempotencyKeys()
  const navigate = useNavigate()
  const client = useQueryClient()
  const found = preview.data
  const look = kindLook[kind]

  const send = useMutation({
    mutationFn: (order: Order) => launch(order, key),
    meta: { quiet: true },
    onSuccess: async (action) => {
      await client.invalidateQueries({ queryKey: ['operator-actions'] })
      await navigate({ to: '/operator_actions/$id', params: { id: String(action.id) } })
      onClose()
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.status === 409) {
        toasts.error(error.lines.length > 0 ? error.lines.join('\n') : s.moved())
        setTyped('')
        setConfirming(false)
        await preview.refetch()
      } else report(error, s.createFailed())
    },
  })

  const closed = whyNot(found, preview.isError)
  const asksNumber = confirming && found !== undefined && mustType(found)
  let reasonAgainst = closed
  if (send.isPending) reasonAgainst = s.sending()
  else if (!closed && confirming && badPace) reasonAgainst = s.paceBad()
  else if (!closed && confirming && tooLong(reason)) reasonAgainst = tooLong(reason)
  else if (!closed && asksNumber && !isTyped(typed, found)) reasonAgainst = s.confirmFirst()

  function go() {
    if (!found) return
    const said = reason.trim()
    send.mutate({ kind, filter, ...(said ? { reason: said } : {}), ...(found.count.kind === 'exact' ? { expectedCount: found.count.value } : {}), ...(perSecond === null ? {} : { perSecond }) })
  }

  return (
    <Dialog
      open
      size="wide"
      initialFocus={safe}
      title={look.name()}
      closeLabel={common.closeWindow()}
      aside={<Steps label={s.steps()} words={[s.selection(), s.preview(), s.confirm()]} at={confirming ? 2 : 1} />}
      onClose={onClose}
      footer={
        <>
          {asksNumber ? (
            <label className="flex items-center gap-2">
              <span>{s.typeNumber()} <b className="font-semibold">{countText({ ...found.count, kind: 'exact' })}</b></span>
              <Input
                large inputMode="numeric" autoComplete="off" boxClassName="w-28" className="font-semibold" value={typed} onChange={(event) => setTyped(event.target.value)}
                after={isTyped(typed, found) ? <Icon name="check" className="size-3.5 text-ok!" /> : null}
              />
            </label>
          ) : null}
          <div className="ml-auto flex flex-wrap justify-end gap-3">
            <Button ref={safe} size="lg" variant="ghost" onClick={onClose}>{(kind === 'cancel' ? common.back : common.leave)()}</Button>
            {confirming ? (
              <>
                <Button size="lg" onClick={() => setConfirming(false)}>{s.back()}</Button>
                <Button size="lg" variant={kind === 'cancel' ? 'destructive' : 'primary'} reason={reasonAgainst} onClick={go}>{look.verb(found ? countText(found.count) : '', found?.count.value ?? 0)}</Button>
              </>
            ) : (
              <Button size="lg" variant="primary" reason={closed} onClick={() => setConfirming(true)}>{s.next()}</Button>
            )}
          </div>
        </>
      }
    >
      <DialogBody tabIndex={0} role="region" aria-label={confirming ? s.confirm() : s.preview()}>
        {send.error instanceof ApiError && send.error.status === 0 && !send.isPending ? <div className="mb-3"><Banner tone="warn" alert icon="warn" title={s.noAnswer()}>{s.noAnswerHint()}</Banner></div> : null}
        {confirming && found ? (
          <form
            className="grid max-w-xl gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              if (reasonAgainst === null) go()
            }}
          >
            <p>
              <b className="font-semibold">{look.verb(countText(found.count), found.count.value)}</b>: {filterSaid(filter)}.
              <span className="block text-muted-foreground">{processedText(found)}</span>
            </p>
            <ReasonField label={s.reason()} hint={s.reasonHint()} value={reason} onType={setReason} />
            <div className="grid gap-1.5">
              <span aria-hidden="true" className="text-xs font-medium">{s.pace()}</span>
              <Stepper label={s.pace()} none={s.paceNone()} value={perSecond} onBad={setBadPace} onChange={setPerSecond} />
              <Hint>{s.paceHint()}</Hint>
            </div>
          </form>
        ) : (
          <StartPreview kind={kind} filter={filter} preview={preview} />
        )}
      </DialogBody>
    </Dialog>
  )
}
