// The panel of filters; each change goes into the address, typed text a moment after the last key.
import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useDeferredValue, useState } from 'react'
import type { CaseStatus, PersonKind } from '@/api/types'
import { Button } from '@/components/ui/button'
import { CheckboxLabel, Pair, Switch } from '@/components/ui/checkbox'
import { LineFailed } from '@/components/ui/feedback'
import { Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { Popover } from '@/components/ui/menu'
import { parseCents, splitCents } from '@/lib/format'
import { cn } from '@/lib/utils'
import { useTyped } from '@/lib/use-typed'
import { DateField } from '@/components/ui/date-field'
import { type CaseSearch, filterCount, statusesOf, STATUSES } from './filters'
import { claimTypesQuery } from './queries'
import { statusWord, t } from './texts'

type Change = (change: Partial<CaseSearch>) => void

function Group({ title, count, open: openAtFirst = true, children }: { title: string; count: number; open?: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(openAtFirst || count > 0)
  return (
    <section className="border-b">
      <h2 className="text-sm font-medium tracking-normal">
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="flex w-full items-center gap-1.5 py-2 pr-4 pl-3 text-left -outline-offset-2">
          <Icon name={open ? 'down' : 'right'} className="size-3.5 text-muted-foreground" />
          {title}
          {count > 0 ? <Count value={count} className="ml-auto" /> : null}
        </button>
      </h2>
      {open ? <div className="grid gap-2 px-4 pb-3.5">{children}</div> : null}
    </section>
  )
}

export function Count({ value, className }: { value: number; className?: string }) {
  return <span className={cn('min-w-4 rounded-sm bg-foreground px-1 text-center text-2xs font-semibold text-card', className)}>{value}</span>
}

function TextFilter({ label, placeholder, value, onChange, code = false }: { label: string; placeholder: string; value: string | undefined; onChange: (value: string | undefined) => void; code?: boolean }) {
  const { field } = useTyped(value ?? '', (text) => onChange(text || undefined))
  return <Input {...field} aria-label={label} placeholder={placeholder} maxLength={200} {...(code ? { inputMode: 'numeric' as const } : {})} before={<Icon name="search" className="size-3.5" />} />
}

function amountText(cents: number): string {
  const { euros, rest } = splitCents(cents)
  return euros + rest
}

function readAmount(typed: string): string | null {
  if (!typed.trim()) return ''
  const cents = parseCents(typed)
  return cents === null ? null : amountText(cents)
}

function AmountFilter({ label, placeholder, value, onChange }: { label: string; placeholder: string; value: number | undefined; onChange: (value: number | undefined) => void }) {
  const { field, bad } = useTyped(value === undefined ? '' : amountText(value), (text) => onChange(parseCents(text) ?? undefined), readAmount)
  return (
    <span className="grid">
      <Input {...field} aria-label={label} placeholder={placeholder} inputMode="decimal" invalid={bad} />
      {bad ? <span role="alert" className="text-2xs text-err">{t.badAmount()}</span> : null}
    </span>
  )
}

/** Both boxes ticked is no filter; the last ticked one stays ticked. */
function Kinds({ label, value, onChange }: { label: string; value: PersonKind | undefined; onChange: (value: PersonKind | undefined) => void }) {
  const box = (kind: PersonKind, other: PersonKind, word: string) => (
    <CheckboxLabel label={word} checked={value === undefined || value === kind} disabled={value === kind} onChange={() => onChange(value === undefined ? other : undefined)} />
  )
  return (
    <div role="group" aria-label={label} className="grid grid-cols-2 gap-2 whitespace-nowrap">
      {box('private', 'juridical', t.private())}
      {box('juridical', 'private', t.juridical())}
    </div>
  )
}

function Statuses({ search, change }: { search: CaseSearch; change: Change }) {
  const asked = new Set<CaseStatus>(statusesOf(search) ?? STATUSES)
  function toggle(status: CaseStatus) {
    const next = new Set(asked)
    if (!next.delete(status)) next.add(status)
    const list = STATUSES.filter((one) => next.has(one))
    change({ status: list as CaseSearch['status'], archived: undefined })
  }
  return (
    <div role="group" aria-label={t.group.status()} className="grid">
      {STATUSES.map((status) => (
        <CheckboxLabel key={status} label={statusWord[status]()} checked={asked.has(status)} disabled={asked.size === 1 && asked.has(status)} onChange={() => toggle(status)} />
      ))}
    </div>
  )
}

function ClaimTypes({ search, change }: { search: CaseSearch; change: Change }) {
  const types = useQuery(claimTypesQuery)
  const chosen = new Set(search.claimType)
  if (types.isError) return <p className="text-xs"><LineFailed title={t.claimTypesFailed()} error={types.error} onRetry={() => void types.refetch()} /></p>
  const names = types.data?.filter((type) => chosen.has(type.id)).map((type) => type.name) ?? []
  const said = chosen.size > 2 ? t.kinds(chosen.size) : names.join(', ') || t.allKinds()
  return (
    <Popover
      label={t.claimType()}
      align="start"
      className="w-[232px] px-3 py-2"
      trigger={
        <button type="button" aria-label={`${t.claimType()}: ${said}`} className="flex h-7 w-full items-center gap-1.5 rounded-md border border-input bg-card px-2 text-left dark:bg-[color-mix(in_oklab,var(--card)_60%,var(--background))]">
          <span className={cn('min-w-0 flex-1 truncate', chosen.size === 0 && 'text-muted-foreground')}>{said}</span>
          <Icon name="down" className="size-3.5 text-muted-foreground" />
        </button>
      }
    >
      <div role="group" aria-label={t.claimType()} className="grid">
        {types.data?.map((type) => (
          <CheckboxLabel
            key={type.id}
            className="min-h-7"
            label={type.name}
            checked={chosen.has(type.id)}
            onChange={() => {
              const next = new Set(chosen)
              if (!next.delete(type.id)) next.add(type.id)
              change({ claimType: next.size > 0 ? [...next].toSorted((a, b) => a - b) : undefined })
            }}
          />
        ))}
      </div>
    </Popover>
  )
}

export const FilterPanel = memo(function FilterPanel({ search, change, reset, exists }: { search: CaseSearch; change: Change; reset: () => void; exists: ReadonlyMap<string, string> }) {
  // The frame comes with the page, its many fields a moment later: the list is what one came for.
  const ready = useDeferredValue(true, false)
  const some = (...keys: Array<keyof CaseSearch>) => keys.filter((key) => search[key] !== undefined).length
  const count = filterCount(search)
  const lab = 'text-xs text-muted-foreground -mb-1'
  return (
    <aside aria-label={t.filters()} className="flex w-(--panel) flex-none flex-col border-r max-sm:w-full max-sm:border-r-0">
      <div className="flex h-11 flex-none items-center gap-2 border-b pr-1 pl-4">
        <span className="font-semibold">{t.filters()}</span>
        {count > 0 ? <Count value={count} /> : null}
        <Button variant="ghost" className="ml-auto" disabled={count === 0} onClick={reset}>{t.reset()}</Button>
      </div>
      {ready ? <div className="min-h-0 overflow-auto">
        <Group title={t.group.status()} count={search.archived || Array.isArray(search.status) ? 1 : 0} open={false}>
          <Statuses search={search} change={change} />
        </Group>
        <Group title={t.group.number()} count={some('number')}>
          <TextFilter label={t.number()} placeholder={t.numberHint()} value={search.number} onChange={(number) => change({ number })} />
        </Group>
        <Group title={t.group.debtor()} count={some('debtor', 'debtorName', 'debtorCode')}>
          <Kinds label={t.group.debtor()} value={search.debtor} onChange={(debtor) => change({ debtor })} />
          <TextFilter label={t.chipDebtorName()} placeholder={t.name()} value={search.debtorName} onChange={(debtorName) => change({ debtorName })} />
          <TextFilter label={t.chipDebtorCode()} placeholder={t.code()} value={search.debtorCode} onChange={(debtorCode) => change({ debtorCode })} code />
        </Group>
        <Group title={t.group.claimant()} count={some('claimant', 'claimantName', 'claimantCode')}>
          <Kinds label={t.group.claimant()} value={search.claimant} onChange={(claimant) => change({ claimant })} />
          <TextFilter label={t.chipClaimantName()} placeholder={t.name()} value={search.claimantName} onChange={(claimantName) => change({ claimantName })} />
          <TextFilter label={t.chipClaimantCode()} placeholder={t.code()} value={search.claimantCode} onChange={(claimantCode) => change({ claimantCode })} code />
        </Group>
        <Group title={t.group.claim()} count={some('claimType') + (search.min !== undefined || search.max !== undefined ? 1 : 0)}>
          <span className={lab}>{t.claimType()}</span>
          <ClaimTypes search={search} change={change} />
          <span className={lab}>{t.balance()}</span>
          <div className="grid grid-cols-[1fr_auto_1fr] items-start gap-1">
            <AmountFilter label={`${t.balance()} ${t.from()}`} placeholder={t.fromEuro()} value={search.min} onChange={(min) => change({ min })} />
            <span className="leading-7 text-muted-foreground">–</span>
            <AmountFilter label={`${t.balance()} ${t.until()}`} placeholder={t.untilEuro()} value={search.max} onChange={(max) => change({ max })} />
          </div>
          {search.min !== undefined && search.max !== undefined && search.min > search.max ? <span role="alert" className="text-2xs text-err">{t.badRange()}</span> : null}
        </Group>
        <Group title={t.group.dates()} count={search.from || search.until ? 1 : 0}>
          <span className={lab}>{t.opened()}</span>
          <div className="grid grid-cols-[1fr_auto_1fr] items-start gap-1">
            <DateField label={`${t.opened()} ${t.from()}`} placeholder={t.from()} value={search.from} onChange={(from) => change({ from })} />
            <span className="leading-7 text-muted-foreground">–</span>
            <DateField label={`${t.opened()} ${t.until()}`} placeholder={t.until()} value={search.until} onChange={(until) => change({ until })} />
          </div>
        </Group>
        <Group title={t.group.exists()} count={Object.keys(search.exists ?? {}).length} open={false}>
          {[...exists].map(([field, title]) => (
            <Pair
              key={field}
              label={title}
              words={{ all: t.all(), yes: t.yes(), no: t.no() }}
              value={search.exists?.[field]}
              onChange={(value) => {
                const rest = Object.fromEntries(Object.entries(search.exists ?? {}).filter(([other]) => other !== field))
                change({ exists: value === undefined ? rest : { ...rest, [field]: value } })
              }}
            />
          ))}
        </Group>
        <div className="p-4 pt-3.5">
          <Switch label={t.others()} hint={t.othersHint()} checked={search.others === true} onChange={(on) => change({ others: on ? true : undefined })} />
        </div>
      </div> : null}
    </aside>
  )
})
