// The question before jobs are cancelled, with a reason for the log.
import { useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { ReasonField, tooLong } from '@/components/ui/reason'
import { common } from '@/lib/common'
import { t } from './texts'

export default function CancelDialog({ count, acknowledges, busy, onCancel, onClose }: { count: number; /** A failed job is acknowledged, not cancelled. */ acknowledges: boolean; busy: boolean; onCancel: (reason: string) => void; onClose: () => void }) {
  const safe = useRef<HTMLButtonElement>(null)
  const [reason, setReason] = useState('')
  return (
    <Dialog
      open
      size="ask"
      initialFocus={safe}
      title={acknowledges ? t.acknowledgeTitle(count) : t.cancelTitle(count)}
      closeLabel={common.closeWindow()}
      onClose={onClose}
      footer={
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Button ref={safe} size="lg" onClick={onClose}>{common.back()}</Button>
          <Button size="lg" variant="destructive" reason={tooLong(reason)} disabled={busy} onClick={() => onCancel(reason.trim())}>{acknowledges ? t.acknowledgeDo(count) : t.cancelDo(count)}</Button>
        </div>
      }
    >
      <DialogBody className="grid gap-3">
        <p>{acknowledges ? t.acknowledgeText() : t.cancelText()}</p>
        <ReasonField label={t.reason()} hint={t.reasonHint()} value={reason} onType={setReason} />
      </DialogBody>
    </Dialog>
  )
}
