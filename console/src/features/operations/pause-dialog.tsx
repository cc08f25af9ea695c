// Pausing a queue, a kind of job or a bureau with a reason and an end, and changing such a pause.
import { useRef, useState } from 'react'
import { sentence } from '@/api/errors'
import type { Pause, QueueName } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { LineFailed } from '@/components/ui/feedback'
import { Field, Hint, Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { Radios } from '@/components/ui/radio'
import { ReasonField, tooLong } from '@/components/ui/reason'
import { Select } from '@/components/ui/select'
import { kindWords, queueWord } from '@/features/jobs/status'
import { common } from '@/lib/common'
import { dateOf, hourMinute } from '@/lib/format'
import { type NewPause, useBureaus, useEditPause, usePauseJobs } from './queries'
import { pausedWord } from './status'
import { t } from './texts'
import { UNTIL, type Typed, untilOf } from './until'

const WHAT = ['queue', 'kind', 'bureau'] as const
type What = (typeof WHAT)[number]

function start(pause: Pause | undefined): Typed {
  if (!pause) return { choice: 'hour', day: dateOf(Date.now()), time: '' }
  return pause.until ? { choice: 'at', day: dateOf(pause.until), time: hourMinute(pause.until) } : { choice: 'open', day: dateOf(Date.now()), time: '' }
}

function UntilFields({ typed, bad, onChange }: { typed: Typed; bad: 'day' | 'time' | 'past' | null; onChange: (typed: Typed) => void }) {
  return (
    <div className="grid gap-2">
      <Radios label={t.pause.until()} value={typed.choice} options={UNTIL.map((value) => ({ value, word: t.pause.choices[value]() }))} onChange={(choice) => onChange({ ...typed, choice })} />
      {typed.choice === 'at' ? (
        <div className="grid grid-cols-[160px_120px] items-start gap-3">
          <Field label={t.pause.day()} hint={t.pause.dayHint()} error={bad === 'day' ? t.pause.bad.day() : null}>
            {(ids) => <Input large inputMode="numeric" autoComplete="off" invalid={bad === 'day'} value={typed.day} onChange={(event) => onChange({ ...typed, day: event.target.value })} {...ids} />}
          </Field>
          <Field label={t.pause.time()} hint="12:00" error={bad === 'time' ? t.pause.bad.time() : bad === 'past' ? t.pause.bad.past() : null}>
            {(ids) => <Input large inputMode="numeric" autoComplete="off" invalid={bad === 'time' || bad === 'past'} value={typed.time} onChange={(event) => onChange({ ...typed, time: event.target.value })} {...ids} />}
          </Field>
        </div>
      ) : null}
    </div>
  )
}

export type PauseOf = { queue?: QueueName } | { pause: Pause }

export default function PauseDialog({ of, onClose }: { of: PauseOf; onClose: () => void }) {
  const editing = 'pause' in of ? of.pause : undefined
  const asked = 'pause' in of ? undefined : of.queue
  const [what, setWhat] = useState<What>('queue')
  const [target, setTarget] = useState<Record<What, string>>({ queue: asked ?? '', kind: '', bureau: '' })
  const [reason, setReason] = useState(editing?.reason ?? '')
  const [typed, setTyped] = useState<Typed>(() => start(editing))
  // Judged only when it is sent: nobody is told off while he still types.
  const [tried, setTried] = useState(false)
  const [bad, setBad] = useState<'day' | 'time' | 'past' | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const bureaus = useBureaus(editing === undefined && what === 'bureau')
  const pause = usePauseJobs()
  const edit = useEditPause()
  const failed = pause.error ?? edit.error
  const busy = pause.isPending || edit.isPending

  const noReason = tried && !reason.trim()
  const noTarget = tried && !editing && !target[what]

  function send() {
    setTried(true)
    // An end that nobody touched stays to the second.
    const asWas = editing !== undefined && JSON.stringify(typed) === JSON.stringify(start(editing))
    const end = asWas ? { until: editing.until ?? null } : untilOf(typed, Date.now())
    const said = reason.trim()
    setBad('bad' in end ? end.bad : null)
    if ('bad' in end || !said || tooLong(said)) return
    if (editing) {
      edit.mutate({ id: editing.id, reason: said, until: end.until }, { onSuccess: onClose })
      return
    }
    const chosen = target[what]
    if (!chosen) return
    const order: NewPause = { [what]: what === 'bureau' ? Number(chosen) : chosen, reason: said, ...(end.until ? { until: end.until } : {}) }
    pause.mutate(order, { onSuccess: onClose })
  }

  const options: Record<What, Array<[string, string]>> = {
    queue: Object.entries(queueWord).map(([value, word]) => [value, word()]),
    kind: kindWords(),
    bureau: (bureaus.data ?? []).map((one) => [String(one.id), `${one.code} · ${one.name}`]),
  }
  return (
    <Dialog
      open
      size="form"
      initialFocus={field}
      title={editing ? t.pause.editTitle() : asked ? t.pause.of(queueWord[asked]()) : t.pause.title()}
      closeLabel={common.closeWindow()}
      onClose={onClose}
      footer={
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Button size="lg" variant="ghost" onClick={onClose}>{common.leave()}</Button>
          <Button size="lg" variant="primary" type="submit" form="pause" reason={tooLong(reason)} disabled={busy}>{editing ? t.pause.save() : <><Icon name="pause" />{t.pause.do()}</>}</Button>
        </div>
      }
    >
      <DialogBody>
        <form
          id="pause"
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          {editing ? <p className="font-medium">{pausedWord(editing)}</p> : null}
          {!editing && !asked ? (
            <div className="grid gap-2">
              <Radios label={t.pause.what()} value={what} options={WHAT.map((value) => ({ value, word: t.pause[value]() }))} onChange={setWhat} />
              <Field label={t.pause[what]()} error={noTarget ? t.pause.chooseMissing() : null}>
                {(ids) => (
                  <Select
                    large
                    invalid={noTarget}
                    value={target[what]}
                    onChange={(event) => setTarget({ ...target, [what]: event.target.value })}
                    options={[{ value: '', word: t.pause.choose() }, ...options[what].map(([value, word]) => ({ value, word }))]}
                    {...ids}
                  />
                )}
              </Field>
              {what === 'bureau' && bureaus.isError ? <LineFailed title={t.pause.bureausFailed()} error={bureaus.error} onRetry={() => void bureaus.refetch()} /> : null}
            </div>
          ) : null}
          <ReasonField ref={field} label={t.pause.reason()} hint={t.pause.reasonHint()} error={noReason ? t.pause.reasonMissing() : null} required invalid={noReason} value={reason} onType={setReason} />
          <UntilFields typed={typed} bad={bad} onChange={(next) => { setTyped(next); setBad(null) }} />
          {failed ? <p role="alert" className="whitespace-pre-line text-err">{sentence(failed, t.pause.failed())}</p> : null}
          {editing ? null : <Hint>{t.pause.note()}</Hint>}
        </form>
      </DialogBody>
    </Dialog>
  )
}
