// The filters above the errors: how far back, which queue and bureau, known or not.
import { useId } from 'react'
import { Pair } from '@/components/ui/checkbox'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { Bar } from '@/components/ui/sheet'
import { queueWord } from '@/features/jobs/status'
import { useBureaus } from '@/features/operations/queries'
import { DEFAULT_HOURS, type GroupSearch, groupFilterCount, HOURS } from './filters'
import { t } from './texts'

function Choice({ label, value, options, onChange }: { label: string; value: string; options: Array<{ value: string; word: string }>; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <span className="flex items-center gap-2">
      <label htmlFor={id} className="text-xs text-muted-foreground">{label}</label>
      <Select id={id} className="max-w-48" value={value} options={options} onChange={(event) => onChange(event.target.value)} />
    </span>
  )
}

export function FilterBar({ search, withBureau, onChange, onReset }: { search: GroupSearch; withBureau: boolean; onChange: (change: Partial<GroupSearch>) => void; onReset: () => void }) {
  const bureaus = useBureaus(withBureau)
  const hours = search.hours ?? DEFAULT_HOURS
  const spans = HOURS.includes(hours as (typeof HOURS)[number]) ? [...HOURS] : [...HOURS, hours].toSorted((a, b) => a - b)
  const codes = (bureaus.data ?? []).map((one) => ({ value: one.code, word: `${one.code} · ${one.name}` }))
  // A code that the list does not have (yet) is still shown.
  const known = search.bureau && !codes.some((one) => one.value === search.bureau) ? [{ value: search.bureau, word: search.bureau }] : []
  return (
    <Bar role="group" aria-label={t.filters()} className="flex-wrap gap-x-5 gap-y-2">
      <Choice label={t.span()} value={String(hours)} options={spans.map((n) => ({ value: String(n), word: t.hours(n) }))} onChange={(value) => onChange({ hours: Number(value) })} />
      <Choice
        label={t.queue()}
        value={search.queue ?? ''}
        options={[{ value: '', word: t.all() }, ...Object.entries(queueWord).map(([value, word]) => ({ value, word: word() }))]}
        onChange={(value) => onChange({ queue: (value || undefined) as GroupSearch['queue'] })}
      />
      {withBureau ? <Choice label={t.bureau()} value={search.bureau ?? ''} options={[{ value: '', word: t.all() }, ...known, ...codes]} onChange={(value) => onChange({ bureau: value || undefined })} /> : null}
      <Pair label={t.known()} words={{ all: t.pair.all(), yes: t.pair.yes(), no: t.pair.no() }} value={search.known} onChange={(known) => onChange({ known })} />
      {groupFilterCount(search) > 0 ? <Button variant="ghost" onClick={onReset}>{t.clear()}</Button> : null}
    </Bar>
  )
}
