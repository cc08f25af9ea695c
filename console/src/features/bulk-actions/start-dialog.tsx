// The launch: arguments where the type has some, then a preview and one confirmation that names verb and number.
import { useQueryClient, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ApiError, report } from '@/api/errors'
import { BulkType, type BulkTypeCode, type CaseFilters } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, Steps } from '@/components/ui/dialog'
import { Banner } from '@/components/ui/feedback'
import { Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { common } from '@/lib/common'
import { euros, num, parseCents } from '@/lib/format'
import type { Said } from '@/lib/said'
import { toasts } from '@/lib/toasts'
import { useIdempotencyKeys } from '@/lib/use-idempotency-keys'
import { abandon, launch, type Launch } from './acts'
import { isProblemReason, processedCount } from './preview-counts'
import { previewQuery } from './queries'
import { StartFeeForm } from './start-fee-form'
import { StartPreview } from './start-preview'
import { about, type LaunchType, s } from './start-texts'
import { typeWord } from './status'

/** From this many cases on the number is typed. */
const TYPED_ABOVE = 1_000
const LEGAL_EFFECT: ReadonlySet<BulkTypeCode> = new Set<BulkTypeCode>([BulkType.close, BulkType.removeConfirm, BulkType.arrestConfirm, BulkType.sync])

export function StartDialog({ type, filters, said, onClose }: { type: BulkTypeCode; filters: CaseFilters; said: Said; onClose: () => void }) {
  const [fee, setFee] = useState('')
  const [asked, setAsked] = useState(type !== BulkType.startFee)
  const cents = parseCents(fee)
  const args = type === BulkType.startFee ? { startFee: { cents: cents ?? 0, currency: 'EUR' } } : {}
  const words = [s.selection(), ...(type === BulkType.startFee ? [s.fee()] : []), s.preview()]
  const steps = <Steps label={s.steps()} words={words} at={asked ? words.length - 1 : 1} />
  const frame = { title: typeWord[type](), closeLabel: common.closeWindow(), aside: steps, onClose }
  const key = useIdempotencyKeys()
  if (!asked) {
    return <StartFeeForm frame={frame} fee={fee} setFee={setFee} cents={cents} onNext={() => setAsked(true)} />
  }
  return (
    <Confirm
      type={type as BulkTypeCode & LaunchType}
      args={args}
      filters={filters}
      said={said}
      frame={frame}
      idempotencyKey={key}
      {...(type === BulkType.startFee ? { onBack: () => setAsked(false), facts: [{ name: s.newFee(), value: euros(cents ?? 0) }] } : {})}
    />
  )
}

export type Frame = { title: string; closeLabel: string; aside: React.ReactNode; onClose: () => void }

function Confirm({ type, args, filters, said, frame, idempotencyKey, onBack, facts = [] }: {
  type: BulkTypeCode & LaunchType
  args: Record<string, unknown>
  filters: CaseFilters
  said: Said
  frame: Frame
  idempotencyKey: (part: string, body: unknown) => string
  onBack?: () => void
  facts?: Array<{ name: string; value: string }>
}) {
  const preview = useQuery(previewQuery(type, args, filters))
  const [includeProblems, setIncludeProblems] = useState(false)
  const [typed, setTyped] = useState('')
  const safe = useRef<HTMLButtonElement>(null)
  const navigate = useNavigate()
  const client = useQueryClient()
  const count = preview.data?.count
  const mustType = count !== undefined && (count > TYPED_ABOVE || LEGAL_EFFECT.has(type))
  const right = typed.replace(/\D/g, '') === String(count)
  const empty = useRef<number | null>(null)
  const send = useMutation({
    mutationFn: (order: Launch) => launch(order, idempotencyKey, (id) => { empty.current = id }),
    meta: { quiet: true },
    onSuccess: async (action) => {
      empty.current = null
      await client.invalidateQueries({ queryKey: ['bulk-actions'] })
      await navigate({ to: '/bulk_actions/$id', params: { id: String(action.id) } })
      frame.onClose()
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.status === 409) {
        toasts.error(error.lines.length > 0 ? error.lines.join('\n') : s.moved())
        setTyped('')
        await preview.refetch()
      } else report(error, s.createFailed())
    },
  })

  function leave() {
    if (empty.current !== null) abandon(empty.current)
    frame.onClose()
  }

  const processed = preview.data ? processedCount(preview.data, includeProblems) : 0
  let reason: string | null = null
  if (send.isPending) reason = s.sending()
  else if (preview.isError) reason = s.failed()
  else if (count === undefined) reason = s.loading()
  else if (count === 0) reason = s.nothing()
  else if (processed === 0) reason = s.allSkipped()
  else if (mustType && !right) reason = s.confirmFirst()

  return (
    <Dialog
      open
      size="wide"
      initialFocus={safe}
      {...frame}
      onClose={leave}
      footer={
        <>
          {mustType && count !== undefined ? (
            <label className="flex items-center gap-2">
              <span>{s.typeNumber()} <b className="font-semibold">{num(count)}</b></span>
              <Input
                large inputMode="numeric" autoComplete="off" boxClassName="w-28" className="font-semibold" value={typed} onChange={(event) => setTyped(event.target.value)}
                after={right ? <Icon name="check" className="size-3.5 text-ok!" /> : null}
              />
            </label>
          ) : null}
          <div className="ml-auto flex flex-wrap gap-3">
            <Button ref={safe} size="lg" variant="ghost" onClick={leave}>{common.leave()}</Button>
            {onBack ? <Button size="lg" onClick={onBack}>{s.back()}</Button> : null}
            <Button
              size="lg"
              variant="primary"
              reason={reason}
              onClick={() => send.mutate({ type, args, filters, expectedCount: count ?? 0, includeCasesWithProblems: includeProblems })}
            >
              {about[type].verb(count ?? 0)}
            </Button>
          </div>
        </>
      }
    >
      <DialogBody tabIndex={0} role="region" aria-label={s.preview()}>
        {send.error instanceof ApiError && send.error.status === 0 && !send.isPending ? <div className="mb-3"><Banner tone="warn" alert icon="warn" title={s.noAnswer()}>{s.noAnswerHint()}</Banner></div> : null}
        <StartPreview
          type={type}
          said={said}
          facts={facts}
          preview={preview}
          includeProblems={includeProblems}
          onIncludeProblems={preview.data?.skipped.some((one) => isProblemReason(one.reason)) ? setIncludeProblems : undefined}
        />
      </DialogBody>
    </Dialog>
  )
}
