// The two questions before an act: cancelling an action, and marking tasks as done with a reason.
import { useRef, useState } from 'react'
import type { BulkAction } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { ReasonField, tooLong } from '@/components/ui/reason'
import { common } from '@/lib/common'
import { ended, typeWord } from './status'
import { t } from './texts'

export function CancelDialog({ action, busy, onCancel, onClose }: { action: BulkAction; busy: boolean; onCancel: () => void; onClose: () => void }) {
  const safe = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open
      size="ask"
      initialFocus={safe}
      title={t.cancelTitle(typeWord[action.type]())}
      closeLabel={common.closeWindow()}
      onClose={onClose}
      footer={
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Button ref={safe} size="lg" onClick={onClose}>{common.back()}</Button>
          <Button size="lg" variant="destructive" disabled={busy} onClick={onCancel}>{t.cancelDo()}</Button>
        </div>
      }
    >
      <DialogBody>{t.cancelText(action.counts.queued, action.counts.running, ended(action.counts))}</DialogBody>
    </Dialog>
  )
}

export function DoneDialog({ count, busy, onDone, onClose }: { count: number; busy: boolean; onDone: (reason: string) => void; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const said = reason.trim()
  return (
    <Dialog
      open
      size="ask"
      initialFocus={field}
      title={t.doneTitle(count)}
      closeLabel={common.closeWindow()}
      onClose={onClose}
      footer={
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Button size="lg" variant="ghost" onClick={onClose}>{common.leave()}</Button>
          <Button size="lg" variant="primary" type="submit" form="mark-done" reason={tooLong(reason)} disabled={!said || busy}>{t.done()}</Button>
        </div>
      }
    >
      <DialogBody>
        <form
          id="mark-done"
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (said && !tooLong(said)) onDone(said)
          }}
        >
          <p>{t.doneText()}</p>
          <ReasonField ref={field} label={t.doneReason()} hint={t.doneReasonHint()} value={reason} onType={setReason} />
        </form>
      </DialogBody>
    </Dialog>
  )
}
