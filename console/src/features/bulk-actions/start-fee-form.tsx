// The argument of type 1: one amount for all.
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { Field, Input } from '@/components/ui/field'
import { common } from '@/lib/common'
import type { Frame } from './start-dialog'
import { s } from './start-texts'

export function StartFeeForm({ frame, fee, setFee, cents, onNext }: { frame: Frame; fee: string; setFee: (fee: string) => void; cents: number | null; onNext: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const good = cents !== null && cents >= 0
  return (
    <Dialog
      open
      initialFocus={field}
      {...frame}
      footer={
        <div className="ml-auto flex gap-3">
          <Button size="lg" variant="ghost" onClick={frame.onClose}>{common.leave()}</Button>
          <Button size="lg" variant="primary" form="start-fee" type="submit" disabled={!good}>{s.next()}</Button>
        </div>
      }
    >
      <DialogBody>
        <form
          id="start-fee"
          className="max-w-60"
          onSubmit={(event) => {
            event.preventDefault()
            if (good) onNext()
          }}
        >
          <Field label={s.startFee()} hint={s.startFeeHint()} error={fee && !good ? s.startFeeBad() : null}>
            {(ids) => (
              <Input
                ref={field} large inputMode="decimal" autoComplete="off" className="text-right" value={fee} invalid={Boolean(fee) && !good}
                onChange={(event) => setFee(event.target.value)} after={<span className="text-muted-foreground">€</span>} {...ids}
              />
            )}
          </Field>
        </form>
      </DialogBody>
    </Dialog>
  )
}
