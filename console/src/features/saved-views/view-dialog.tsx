// The name of a view and whether the bureau sees it: for a new one and for a change.
import { useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { CheckboxLabel } from '@/components/ui/checkbox'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { Field, Input } from '@/components/ui/field'
import { common } from '@/lib/common'
import { t } from './texts'

export default function ViewDialog({ view, busy, onSave, onClose }: { view?: { name: string; shared: boolean }; busy: boolean; onSave: (view: { name: string; shared: boolean }) => void; onClose: () => void }) {
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(view?.shared ?? false)
  const field = useRef<HTMLInputElement>(null)
  const said = name.trim()
  return (
    <Dialog
      open
      size="ask"
      initialFocus={field}
      title={view ? t.editTitle() : t.saveTitle()}
      closeLabel={common.closeWindow()}
      onClose={onClose}
      footer={
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Button size="lg" variant="ghost" onClick={onClose}>{common.leave()}</Button>
          <Button size="lg" variant="primary" type="submit" form="saved-view" disabled={!said || busy}>{t.doSave()}</Button>
        </div>
      }
    >
      <DialogBody>
        <form
          id="saved-view"
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (said && !busy) onSave({ name: said, shared })
          }}
        >
          <p>{t.what()}</p>
          <Field label={t.name()} hint={t.nameHint()}>
            {(ids) => <Input ref={field} large maxLength={80} value={name} onChange={(event) => setName(event.target.value)} {...ids} />}
          </Field>
          <CheckboxLabel label={t.share()} checked={shared} onChange={(event) => setShared(event.target.checked)} />
        </form>
      </DialogBody>
    </Dialog>
  )
}
