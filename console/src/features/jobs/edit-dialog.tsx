// Changing a job's payload and retrying it: a form of its fields, or JSON that is checked.
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError, report, sentence } from '@/api/errors'
import type { WholeJob } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { CheckboxLabel } from '@/components/ui/checkbox'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { Banner } from '@/components/ui/feedback'
import { Field, Hint, Input, Label } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { common } from '@/lib/common'
import { j } from './job-texts'
import { type FieldProblem, type Payload, type PayloadField, payloadOf, readJson, type Typed, typedOf } from './payload-form'
import { unmask } from './queries'

const asPayload = (value: unknown): Payload => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : {})

function Fields({ fields, typed, problems, onTyped }: { fields: PayloadField[]; typed: Typed; problems: Record<string, FieldProblem>; onTyped: (typed: Typed) => void }) {
  return fields.map((field) => {
    const value = typed[field.name]
    const problem = problems[field.name]
    if (field.type === 'boolean') return <CheckboxLabel key={field.name} label={field.name} checked={value === true} onChange={(event) => onTyped({ ...typed, [field.name]: event.target.checked })} />
    return (
      <Field key={field.name} label={field.required ? `${field.name} *` : field.name} error={problem ? (problem === 'required' ? j.required() : j.badInteger()) : null}>
        {(ids) => (
          <Input large className="font-mono" required={field.required} invalid={problem !== undefined} {...(field.type === 'integer' ? { inputMode: 'numeric' as const } : {})} value={String(value ?? '')} onChange={(event) => onTyped({ ...typed, [field.name]: event.target.value })} {...ids} />
        )}
      </Field>
    )
  })
}

function Json({ text, bad, onText }: { text: string; bad: boolean; onText: (text: string) => void }) {
  return (
    <div className="grid gap-1.5">
      <Label htmlFor="payload-json">{j.editJson()}</Label>
      <textarea
        id="payload-json" rows={16} spellCheck={false} value={text} onChange={(event) => onText(event.target.value)} aria-invalid={bad || undefined} aria-describedby={bad ? 'payload-json-bad' : undefined}
        className="rounded-md border border-input bg-card px-2.5 py-2 font-mono text-xs leading-[18px] aria-invalid:border-err-solid"
      />
      {bad ? <Hint id="payload-json-bad" role="alert" className="text-err">{j.badJson()}</Hint> : null}
    </div>
  )
}

function Form({ fields, before, error, busy, onSend, onClose }: { fields: PayloadField[] | null; before: Payload; error: unknown; busy: boolean; onSend: (payload: Payload) => void; onClose: () => void }) {
  const [typed, setTyped] = useState<Typed>(() => typedOf(fields ?? [], before))
  const [text, setText] = useState(() => JSON.stringify(before, null, 2))
  const json = fields === null ? readJson(text) : null
  const read = fields ? payloadOf(fields, typed, before) : { payload: json ?? {}, problems: {} }
  const bad = fields === null && json === null
  let reason: string | null = null
  if (bad) reason = j.badJson()
  else if (Object.keys(read.problems).length > 0) reason = Object.values(read.problems).includes('required') ? j.required() : j.badInteger()
  else if (JSON.stringify(read.payload) === JSON.stringify(before)) reason = j.unchanged()
  return (
    <form
      id="edit-payload"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === null && !busy) onSend(read.payload)
      }}
    >
      <p>{j.editText()}</p>
      {error && !busy ? <Banner tone="err" icon="err" title={sentence(error, '')} /> : null}
      {fields ? <Fields fields={fields} typed={typed} problems={read.problems} onTyped={setTyped} /> : <Json text={text} bad={bad} onText={setText} />}
      <div className="flex flex-wrap justify-end gap-3">
        <Button size="lg" variant="ghost" onClick={onClose}>{common.leave()}</Button>
        <Button size="lg" variant="primary" type="submit" reason={reason} disabled={busy}>{j.editDo()}</Button>
      </div>
    </form>
  )
}

export default function EditDialog({ job, busy, error, onSend, onClose }: { job: WholeJob; busy: boolean; error: unknown; onSend: (payload: Payload) => void; onClose: () => void }) {
  const safe = useRef<HTMLButtonElement>(null)
  const [whole, setWhole] = useState<Payload | null>(job.payloadMasked ? null : asPayload(job.payload))
  const ask = useMutation({
    mutationFn: () => unmask(job.id),
    meta: { quiet: true },
    onSuccess: (answer) => setWhole(asPayload(answer.payload)),
    onError: (failed) => report(failed instanceof ApiError ? failed : null, j.unmaskFailed()),
  })
  return (
    <Dialog open title={j.editTitle()} closeLabel={common.closeWindow()} onClose={onClose} {...(whole ? {} : { initialFocus: safe })}>
      <DialogBody>
        {whole ? <Form fields={job.payloadFields} before={whole} error={error} busy={busy} onSend={onSend} onClose={onClose} /> : (
          <div className="grid gap-4">
            <p>{j.editMasked()}</p>
            <div className="flex flex-wrap justify-end gap-3">
              <Button ref={safe} size="lg" variant="ghost" onClick={onClose}>{common.leave()}</Button>
              <Button size="lg" disabled={ask.isPending} onClick={() => ask.mutate()}><Icon name="eye" />{j.unmask()}</Button>
            </div>
          </div>
        )}
      </DialogBody>
    </Dialog>
  )
}
