// Deleting a rule cannot be undone, so it asks; the focus is on the safe button.
import { useRef } from 'react'
import { sentence } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { common } from '@/lib/common'
import { type AlertRule, useDeleteRule } from './queries'
import { ruleWord } from './status'
import { t } from './texts'

export default function DeleteDialog({ rule, onClose }: { rule: AlertRule; onClose: () => void }) {
  const gone = useDeleteRule()
  const safe = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open
      size="ask"
      initialFocus={safe}
      title={t.remove.title()}
      closeLabel={common.closeWindow()}
      onClose={onClose}
      footer={
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Button ref={safe} size="lg" variant="ghost" onClick={onClose}>{common.leave()}</Button>
          <Button size="lg" variant="destructive" disabled={gone.isPending} onClick={() => gone.mutate(rule, { onSuccess: onClose })}>{t.remove.do()}</Button>
        </div>
      }
    >
      <DialogBody className="grid gap-2">
        <p className="font-medium">{ruleWord(rule)}</p>
        <p>{t.remove.what()}</p>
        {gone.error ? <p role="alert" className="whitespace-pre-line text-err">{sentence(gone.error, t.remove.failed())}</p> : null}
      </DialogBody>
    </Dialog>
  )
}
