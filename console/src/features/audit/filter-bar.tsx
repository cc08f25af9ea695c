// The filters of the audit list; each change goes into the address, typed text a moment after the last key.
import { DateField } from '@/components/ui/date-field'
import { Input } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Bar } from '@/components/ui/sheet'
import { roleWord } from '@/features/auth/status'
import { useTyped } from '@/lib/use-typed'
import type { AuditFilter, AuditSearch } from './filters'
import { ACTIONS, actionWord, CLASSES, classWord, t } from './texts'

type Change = (part: Partial<AuditFilter>) => void

function Word({ label, value, width, onChange }: { label: string; value: string | undefined; width: string; onChange: (value: string | undefined) => void }) {
  const { field } = useTyped(value ?? '', (typed) => onChange(typed || undefined))
  return <Input {...field} aria-label={label} placeholder={label} maxLength={200} boxClassName={width} />
}

function readId(typed: string): string | null {
  const clean = typed.trim()
  return clean === '' || /^[1-9]\d{0,14}$/.test(clean) ? clean : null
}

function Id({ label, value, onChange }: { label: string; value: number | undefined; onChange: (value: number | undefined) => void }) {
  const { field, bad } = useTyped(value === undefined ? '' : String(value), (typed) => {
    const clean = readId(typed)
    if (clean !== null) onChange(clean === '' ? undefined : Number(clean))
  }, readId)
  return <Input {...field} aria-label={label} placeholder={label} inputMode="numeric" invalid={bad} title={bad ? t.bad() : undefined} boxClassName="w-28" />
}

/** The known words, and the one of the address if it is another. */
function options(all: string, known: string[], word: (name: string) => string, value: string | undefined) {
  const names = value === undefined || known.includes(value) ? known : [...known, value]
  return [{ value: '', word: all }, ...names.map((name) => ({ value: name, word: word(name) }))]
}

export function FilterBar({ search, change }: { search: AuditSearch; change: Change }) {
  const roles = Object.entries(roleWord).map(([value, word]) => ({ value, word: word() }))
  return (
    <Bar className="flex-wrap">
      <Word label={t.user()} value={search.user} width="w-40" onChange={(user) => change({ user })} />
      <Select aria-label={t.role()} options={[{ value: '', word: t.anyRole() }, ...roles]} value={search.role ?? ''} onChange={(event) => change({ role: (event.target.value || undefined) as AuditFilter['role'] })} />
      <Word label={t.bureau()} value={search.bureau} width="w-20" onChange={(bureau) => change({ bureau })} />
      <Select aria-label={t.action()} boxClassName="w-48" options={options(t.anyAction(), ACTIONS, actionWord, search.action)} value={search.action ?? ''} onChange={(event) => change({ action: event.target.value || undefined })} />
      <Select aria-label={t.object()} boxClassName="w-40" options={options(t.anyObject(), CLASSES, classWord, search.objectClass)} value={search.objectClass ?? ''} onChange={(event) => change({ objectClass: event.target.value || undefined })} />
      <Id label={t.objectId()} value={search.objectId} onChange={(objectId) => change({ objectId })} />
      <span className="inline-flex items-start gap-1" role="group" aria-label={t.dates()}>
        <span className="w-32"><DateField label={t.from()} placeholder={t.from()} value={search.from} onChange={(from) => change({ from })} /></span>
        <span className="leading-7 text-muted-foreground">–</span>
        <span className="w-32"><DateField label={t.until()} placeholder={t.until()} value={search.until} onChange={(until) => change({ until })} /></span>
      </span>
      {search.from && search.until && search.from > search.until ? <span role="alert" className="text-xs text-err">{t.backwards()}</span> : null}
    </Bar>
  )
}
