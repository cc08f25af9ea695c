// Making a rule or changing one, with what it would have done in the last week beside it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, sentence } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { CheckboxLabel } from '@/components/ui/checkbox'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { LineFailed } from '@/components/ui/feedback'
import { Field, Hint, Input } from '@/components/ui/field'
import { Select, type Option } from '@/components/ui/select'
import { cronsQuery } from '@/features/crons/list'
import { cronWord } from '@/features/crons/status'
import { queueWord } from '@/features/jobs/status'
import { overviewQuery, useBureaus } from '@/features/operations/queries'
import { registerWord } from '@/features/operations/status'
import { common } from '@/lib/common'
import { num } from '@/lib/format'
import { Conflict } from './conflict'
import { type Bad, differences, type Draft, draftOf, FIELDS, type Field as Name, type Met, metOf, MOST_MINUTES, NEEDED, RANGE, readDraft, typedOf } from './draft'
import { Preview } from './preview'
import { type AlertRule, type Measure, type RuleInput, rulesQuery, useSaveRule } from './queries'
import { refusedOf } from './refused'
import { isPlain, MEASURES, measureWord } from './status'
import { t } from './texts'

const STILL_MS = 500

/** What was last typed whole, half a second after the last key; switches that the past does not know are left out. */
function useAsked(draft: Draft): RuleInput | null {
  const read = readDraft({ ...draft, enabled: true, webhookUrl: '' })
  const now = 'rule' in read ? JSON.stringify(read.rule) : null
  const [asked, setAsked] = useState(now)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(now), STILL_MS)
    return () => clearTimeout(timer)
  }, [now])
  return asked === null || now === null ? null : (JSON.parse(asked) as RuleInput)
}

/** What can be chosen for each field of the subject. */
function useChoices(has: (field: Name) => boolean) {
  const bureaus = useBureaus(has('bureau'))
  const overview = useQuery({ ...overviewQuery, staleTime: 60_000, enabled: has('register'), refetchOnWindowFocus: false })
  const crons = useQuery({ ...cronsQuery, staleTime: 60_000, enabled: has('cron'), refetchOnWindowFocus: false })
  const choices: Record<'queue' | 'register' | 'cron' | 'bureau', Option[]> = {
    queue: Object.entries(queueWord).map(([value, word]) => ({ value, word: word() })),
    register: (overview.data?.body.registers ?? []).map(({ name }) => ({ value: name, word: registerWord(name) })),
    cron: (crons.data?.body.items ?? []).map(({ id, name }) => ({ value: String(id), word: cronWord(name) })),
    bureau: (bureaus.data ?? []).map((one) => ({ value: String(one.id), word: `${one.code} · ${one.name}` })),
  }
  return { choices, failed: [bureaus, overview, crons].find((one) => one.isError) ?? null }
}

type Choices = ReturnType<typeof useChoices>

function Fields({ draft, bad, choices: { choices, failed }, refusedWebhook, onChange }: { draft: Draft; bad: Bad; /** Why the server did not take the address. */ refusedWebhook: string | null; choices: Choices; onChange: (draft: Draft) => void }) {
  const e = t.editor
  const has = (field: Name) => FIELDS[draft.measure].includes(field)
  const first = useRef<HTMLSelectElement>(null)
  useEffect(() => first.current?.focus(), [])
  const choice = (field: 'queue' | 'register' | 'cron' | 'bureau', label: string, none: string): ReactNode => {
    if (!has(field)) return null
    const wrong = NEEDED.includes(field) && bad[field as 'queue' | 'register']
    return (
      <Field key={field} label={label} error={wrong ? e.bad[field as 'queue' | 'register']() : null}>
        {(ids) => <Select large invalid={wrong === true} value={draft[field]} onChange={(event) => onChange({ ...draft, [field]: event.target.value })} options={[{ value: '', word: none }, ...choices[field]]} {...ids} />}
      </Field>
    )
  }
  const number = (field: 'threshold' | 'minutes', label: string, hint: string, error: string | null) => (
    <Field label={label} hint={hint} error={bad[field] ? error : null}>
      {(ids) => <Input large inputMode="numeric" autoComplete="off" maxLength={9} className="num" invalid={bad[field] === true} value={draft[field]} onChange={(event) => onChange({ ...draft, [field]: event.target.value })} {...ids} />}
    </Field>
  )
  const { measure } = draft
  return (
    <div className="grid content-start gap-4">
      <Field label={e.measure()} hint={measure === 'noConsumers' ? e.measureHint.noConsumers() : null}>
        {(ids) => <Select ref={first} large value={measure} onChange={(event) => onChange(draftOf(event.target.value as Measure, draft))} options={MEASURES.map((value) => ({ value, word: measureWord[value]() }))} {...ids} />}
      </Field>
      {choice('queue', e.queue(), e.choose())}
      {choice('register', e.register(), e.choose())}
      {choice('cron', e.cron(), e.anyCron())}
      {choice('bureau', e.bureau(), e.anyBureau())}
      {failed ? <LineFailed title={e.bureausFailed()} error={failed.error} onRetry={() => void failed.refetch()} /> : null}
      <div className="grid grid-cols-2 items-start gap-3">
        {isPlain(measure) ? null : number('threshold', e.threshold[measure as keyof typeof e.threshold](), e.thresholdHint[measure as keyof typeof e.thresholdHint](), e.bad.number(num(RANGE[measure][0]), num(RANGE[measure][1])))}
        {number('minutes', e.minutes(), e.minutesHint(), e.bad.number('0', num(MOST_MINUTES)))}
      </div>
      <Field label={e.webhook()} hint={e.webhookHint()} error={bad.webhookUrl ? e.bad.webhook() : refusedWebhook}>
        {(ids) => <Input large type="url" inputMode="url" autoComplete="off" maxLength={500} placeholder="https://" invalid={bad.webhookUrl === true || refusedWebhook !== null} value={draft.webhookUrl} onChange={(event) => onChange({ ...draft, webhookUrl: event.target.value })} {...ids} />}
      </Field>
      <CheckboxLabel label={e.enabled()} checked={draft.enabled} onChange={(event) => onChange({ ...draft, enabled: event.target.checked })} />
    </div>
  )
}

/** A field's value in words. */
function wordIn(choices: Choices['choices'], name: keyof Draft, value: Draft[keyof Draft]): string {
  if (typeof value === 'boolean') return value ? t.editor.yes() : t.editor.no()
  if (name === 'measure') return measureWord[value as Measure]()
  if (value === '' && (name === 'cron' || name === 'bureau')) return name === 'cron' ? t.editor.anyCron() : t.editor.anyBureau()
  return (name in choices && choices[name as keyof typeof choices].find((one) => one.value === value)?.word) || value || t.editor.nothing()
}

/** Asks what has become of the rule once a change of it was refused. */
function useMet(of: AlertRule | null, draft: Draft) {
  const client = useQueryClient()
  const [met, setMet] = useState<Met | null>(null)
  const ask = (error: unknown) => {
    if (!of || !(error instanceof ApiError) || (error.status !== 412 && error.status !== 404)) return
    client.fetchQuery({ ...rulesQuery, retry: false }).then(({ body }) => setMet(metOf(of, draft, body.member)), () => undefined)
  }
  return { met, setMet, ask }
}

export default function RuleDialog({ of: opened, onClose }: { of: AlertRule | null; onClose: () => void }) {
  /** The rule as it was read: the server refuses a change of any other. */
  const [of, setOf] = useState(opened)
  const [draft, setDraft] = useState<Draft>(() => (of ? typedOf(of) : draftOf('oldestWaiting')))
  // Judged only when it is sent: nobody is told off while he still types.
  const [tried, setTried] = useState(false)
  const save = useSaveRule()
  const { met, setMet, ask } = useMet(of, draft)
  const read = readDraft(draft)
  const asked = useAsked(draft)
  const choices = useChoices((field) => FIELDS[draft.measure].includes(field))
  const gone = met?.kind === 'gone'
  const refused = refusedOf(save.error, draft.webhookUrl.trim() === (save.variables?.rule.webhookUrl ?? ''))

  function load() {
    if (met?.kind !== 'changed') return
    setOf(met.now)
    setDraft(typedOf(met.now))
    setMet({ ...met, loaded: true })
    save.reset()
  }

  return (
    <Dialog
      open
      size="wide"
      title={of ? t.editor.editTitle() : t.editor.newTitle()}
      closeLabel={common.closeWindow()}
      onClose={onClose}
      footer={
        <div className="ml-auto flex flex-wrap justify-end gap-2">
          <Button size="lg" variant="ghost" onClick={onClose}>{common.leave()}</Button>
          <Button size="lg" variant="primary" type="submit" form="alert-rule" reason={gone ? t.editor.conflict.gone() : null} disabled={save.isPending}>{of ? t.editor.save() : t.editor.make()}</Button>
        </div>
      }
    >
      <DialogBody>
        <form
          id="alert-rule"
          noValidate
          className="grid grid-cols-2 gap-5 max-md:grid-cols-[minmax(0,1fr)]"
          onSubmit={(event) => {
            event.preventDefault()
            setTried(true)
            if ('rule' in read && !save.isPending && !gone) save.mutate({ of, rule: read.rule }, { onSuccess: onClose, onError: ask })
          }}
        >
          {met ? (
            <div className="col-span-full">
              <Conflict met={met} differences={met.kind === 'changed' ? differences(met.mine, met.now) : []} wordOf={(name, value) => wordIn(choices.choices, name, value)} onLoad={load} onClose={onClose} />
            </div>
          ) : null}
          {/* Another rule in the fields: they begin anew, with the focus on the first. */}
          <Fields key={of?.version} draft={draft} bad={tried && 'bad' in read ? read.bad : {}} refusedWebhook={refused.webhook} choices={choices} onChange={setDraft} />
          <Preview rule={asked} />
          {of?.alert == null ? null : <Hint className="col-span-full">{t.editor.ends()}</Hint>}
          {save.error && refused.rest && (met === null || (met.kind === 'changed' && met.loaded)) ? <p role="alert" className="col-span-full whitespace-pre-line text-err">{sentence(refused.rest, t.editor.failed())}</p> : null}
        </form>
      </DialogBody>
    </Dialog>
  )
}
