// The question before an operator action is stopped for good.
import { useRef } from 'react'
import type { OperatorAction } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { common } from '@/lib/common'
import { kindLook, t } from './texts'

export default function StopDialog({ action, busy, onStop, onClose }: { action: OperatorAction; busy: boolean; onStop: () => void; onClose: () => void }) {
  const safe = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open
      size="ask"
      initialFocus={safe}
      title={t.stopTitle(kindLook[action.kind].name())}
      closeLabel={common.closeWindow()}
      onClose={onClose}
      footer={
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Button ref={safe} size="lg" onClick={onClose}>{common.leave()}</Button>
          <Button size="lg" variant="destructive" disabled={busy} onClick={onStop}>{t.stopDo()}</Button>
        </div>
      }
    >
      <DialogBody>{t.stopText(action.counts.waiting, action.counts.sent)}</DialogBody>
    </Dialog>
  )
}
