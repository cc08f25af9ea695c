// The note that an error is known, read and edited in its place.
import { useRef, useState } from 'react'
import { sentence } from '@/api/errors'
import type { ErrorGroup } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { LimitedInput, tooLong } from '@/components/ui/reason'
import { refusal } from '@/lib/allowed'
import { whenShort } from '@/lib/format'
import { cn } from '@/lib/utils'
import { useNote } from './queries'
import { KnownMark } from './status'
import { t } from './texts'

function Editor({ group, onClose }: { group: ErrorGroup; onClose: () => void }) {
  const [text, setText] = useState(group.note?.text ?? '')
  const save = useNote()
  const said = text.trim()
  const send = (note: string | null) => save.mutate({ key: group.key, note }, { onSuccess: onClose })
  return (
    <form
      className="grid gap-1.5"
      onSubmit={(event) => {
        event.preventDefault()
        if (said && !tooLong(said)) send(said)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <LimitedInput autoFocus aria-label={`${t.noteField()}: ${group.text}`} placeholder={t.noteHint()} value={text} onType={setText} />
      {save.error ? <p role="alert" className="text-xs whitespace-pre-line text-err">{sentence(save.error, t.noteFailed())}</p> : null}
      <span className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" reason={tooLong(text)} disabled={!said || save.isPending}>{t.noteSave()}</Button>
        {group.note ? <Button disabled={save.isPending} onClick={() => send(null)}>{t.noteRemove()}</Button> : null}
        <Button variant="ghost" onClick={onClose}>{t.noteLeave()}</Button>
      </span>
    </form>
  )
}

export function Note({ group }: { group: ErrorGroup }) {
  const [editing, setEditing] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const reason = refusal(group, 'note')
  if (editing) {
    return (
      <Editor
        group={group}
        onClose={() => {
          setEditing(false)
          requestAnimationFrame(() => opener.current?.focus())
        }}
      />
    )
  }
  const label = group.note ? t.noteEdit() : t.noteAdd()
  return (
    <span className="flex min-w-0 items-center gap-2">
      {group.note ? (
        <span className="flex min-w-0 items-baseline gap-2">
          <KnownMark note={group.note} />
          <span className="min-w-0 break-words whitespace-normal">{group.note.text} <span className="text-xs text-muted-foreground">{t.noteBy(group.note.by, whenShort(group.note.at))}</span></span>
        </span>
      ) : null}
      <Button
        ref={opener} variant="ghost" className={cn('h-6 px-2 text-xs', !group.note && '-ml-2')} reason={reason}
        aria-label={`${label}: ${group.text}`} title={label} onClick={() => setEditing(true)}
      >
        {group.note ? <Icon name="pen" /> : t.noteAdd()}
      </Button>
    </span>
  )
}
