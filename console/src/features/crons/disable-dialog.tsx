// Switching a cron off, with a reason.
import { useRef, useState } from 'react'
import { sentence } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { Icon } from '@/components/ui/icons'
import { ReasonField, tooLong } from '@/components/ui/reason'
import { common } from '@/lib/common'
import type { Cron } from './list'
import { useDisable } from './queries'
import { cronWord } from './status'
import { t } from './texts'

export default function DisableDialog({ cron, onDone, onClose }: { cron: Cron; onDone: () => void; onClose: () => void }) {
  const [reason, setReason] = useState('')
  // Judged only when it is sent: nobody is told off while he still types.
  const [tried, setTried] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const disable = useDisable()
  const said = reason.trim()
  const missing = tried && !said
  return (
    <Dialog
      open
      size="ask"
      initialFocus={field}
      title={t.shut.title(cronWord(cron.name))}
      closeLabel={common.closeWindow()}
      onClose={onClose}
      footer={
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Button size="lg" variant="ghost" onClick={onClose}>{common.leave()}</Button>
          <Button size="lg" variant="primary" type="submit" form="disable-cron" reason={tooLong(reason)} disabled={disable.isPending}><Icon name="pause" />{t.shut.do()}</Button>
        </div>
      }
    >
      <DialogBody>
        <form
          id="disable-cron"
          noValidate
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if (said && !tooLong(said) && !disable.isPending) disable.mutate({ cron, reason: said }, { onSuccess: () => { onDone(); onClose() } })
          }}
        >
          <p>{t.shut.what()}</p>
          <ReasonField ref={field} label={t.shut.reason()} hint={t.shut.reasonHint()} error={missing ? t.shut.reasonMissing() : null} required invalid={missing} value={reason} onType={setReason} />
          {disable.error ? <p role="alert" className="whitespace-pre-line text-err">{sentence(disable.error, t.shut.failed())}</p> : null}
        </form>
      </DialogBody>
    </Dialog>
  )
}
