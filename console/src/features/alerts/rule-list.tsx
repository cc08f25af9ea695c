// The rules as rows, as cards on a phone: how each stands, what it measures now, and what may be done with it.
import type { ReactNode } from 'react'
import { type Column, DataTable } from '@/components/data-table/data-table'
import { useRows } from '@/components/data-table/use-rows'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu'
import { refusal } from '@/lib/allowed'
import { spanWord } from '@/lib/span'
import { useNow } from '@/lib/use-now'
import { usePhone } from '@/lib/use-phone'
import { cn } from '@/lib/utils'
import type { Unevaluated } from './evaluation'
import { type AlertRule, useSilence, useSwitchRule } from './queries'
import { isPlain, ruleLook, ruleWord, silencedNow, valueWord } from './status'
import { t } from './texts'
import { SILENCES, silencedUntil } from './times'

type Acts = { onEdit: (rule: AlertRule) => void; onDelete: (rule: AlertRule) => void }
const MINUTE_MS = 60_000

export function SilenceMenu({ rule, className, children }: { rule: AlertRule; className?: string; children: ReactNode }) {
  const silence = useSilence()
  const now = useNow(rule.silencedUntil != null)
  const reason = refusal(rule, 'silence')
  const till = (until: string | null) => silence.mutate({ rule, until })
  return (
    <Menu trigger={<Button variant="ghost" className={cn('max-sm:h-10', className)} aria-label={`${t.silence.act()}: ${ruleWord(rule)}`}>{children}</Button>}>
      {SILENCES.map((choice) => <MenuItem key={choice} icon={<Icon name="mute" className="size-3.5" />} disabled={reason !== null} hint={reason} onClick={() => till(silencedUntil(choice, Date.now()))}>{t.silence[choice]()}</MenuItem>)}
      {silencedNow(rule, now) ? <><MenuLine /><MenuItem icon={<Icon name="bell" className="size-3.5" />} disabled={reason !== null} hint={reason} onClick={() => till(null)}>{t.silence.end()}</MenuItem></> : null}
    </Menu>
  )
}

function RowActs({ rule, onEdit, onDelete }: { rule: AlertRule } & Acts) {
  const toggle = useSwitchRule()
  const [edit, remove] = [refusal(rule, 'edit'), refusal(rule, 'delete')]
  return (
    <span className="flex items-center justify-end gap-0.5">
      {rule.enabled ? <SilenceMenu rule={rule} className="sm:h-6 sm:px-2 sm:text-xs"><Icon name="mute" />{t.silence.act()}</SilenceMenu> : null}
      <Menu trigger={<Button variant="ghost" size="mini" aria-label={t.rules.more(ruleWord(rule))} title={t.rules.more(ruleWord(rule))}><Icon name="more" className="size-3.5!" /></Button>}>
        <MenuItem icon={<Icon name="pen" className="size-3.5" />} disabled={edit !== null} hint={edit} onClick={() => onEdit(rule)}>{t.rules.edit()}</MenuItem>
        <MenuItem icon={<Icon name={rule.enabled ? 'stop' : 'play'} className="size-3.5" />} disabled={edit !== null} hint={edit} onClick={() => toggle.mutate(rule)}>{rule.enabled ? t.rules.off() : t.rules.on()}</MenuItem>
        <MenuItem icon={<Icon name="x" className="size-3.5" />} disabled={remove !== null} hint={remove} onClick={() => onDelete(rule)}>{t.rules.remove()}</MenuItem>
      </Menu>
    </span>
  )
}

type Stopped = Unevaluated | null

function State({ rule, now, stopped }: { rule: AlertRule; now: number; stopped: Stopped }) {
  const look = ruleLook(rule, now, stopped)
  return (
    <>
      <Badge tone={look.tone} icon={look.icon} className="h-[18px]">{look.word()}</Badge>
      {look.note ? <span className="block truncate text-xs leading-4 text-muted-foreground" title={look.note}>{look.note}</span> : null}
    </>
  )
}

function edgeOf(rule: AlertRule, now: number, stopped: Stopped): 'err' | 'warn' | undefined {
  const { tone } = ruleLook(rule, now, stopped)
  return tone === 'err' || tone === 'warn' ? tone : undefined
}

const limit = (rule: AlertRule) => (isPlain(rule.measure) ? '–' : valueWord(rule.measure, rule.threshold))
const lasting = (rule: AlertRule) => (rule.minutes === 0 ? t.rules.atOnce() : spanWord(rule.minutes * MINUTE_MS))
const tells = (rule: AlertRule) => (rule.webhookUrl ? t.rules.webhook() : t.rules.mail())
const Value = ({ rule }: { rule: AlertRule }) => <span className={cn(rule.breachedSince && rule.enabled && 'font-semibold', rule.alert != null && rule.enabled && 'text-err')}>{valueWord(rule.measure, rule.value)}</span>

function columns(acts: Acts, now: number, stopped: Stopped): Column<AlertRule>[] {
  const c = t.rules.columns
  return [
    { key: 'rule', title: c.rule(), className: 'font-medium', hint: ruleWord, cell: ruleWord },
    { key: 'state', title: c.state(), width: 200, cell: (rule) => <State rule={rule} now={now} stopped={stopped} /> },
    { key: 'value', title: c.value(), width: 92, numeric: true, cell: (rule) => <Value rule={rule} /> },
    { key: 'threshold', title: c.threshold(), width: 92, numeric: true, cell: limit },
    { key: 'minutes', title: c.minutes(), width: 104, numeric: true, cell: lasting },
    { key: 'tells', title: c.tells(), width: 132, className: 'text-muted-foreground', hint: (rule) => rule.webhookUrl ?? undefined, cell: tells },
    { key: 'by', title: c.by(), width: 132, className: 'text-muted-foreground', hint: (rule) => rule.createdBy.name, cell: (rule) => rule.createdBy.name },
    { key: 'acts', title: c.acts(), silent: true, width: 136, cell: (rule) => <RowActs rule={rule} {...acts} /> },
  ]
}

function Card({ rule, now, stopped, ...acts }: { rule: AlertRule; now: number; stopped: Stopped } & Acts) {
  const edge = edgeOf(rule, now, stopped)
  const c = t.rules.columns
  const facts: Array<[string, ReactNode]> = [[c.value(), <Value key="value" rule={rule} />], [c.threshold(), limit(rule)], [c.minutes(), lasting(rule)], [c.tells(), tells(rule)]]
  return (
    <li className={cn('grid gap-2 border-t px-3 py-2.5 first:border-t-0', edge === 'err' && 'shadow-[inset_2px_0_0_var(--err-solid)]', edge === 'warn' && 'shadow-[inset_2px_0_0_var(--warn-solid)]')}>
      <p className="font-medium">{ruleWord(rule)}</p>
      <div className="flex items-center justify-between gap-2"><div className="min-w-0"><State rule={rule} now={now} stopped={stopped} /></div><RowActs rule={rule} {...acts} /></div>
      <dl className="num flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {facts.map(([name, value]) => <div key={name} className="flex gap-1"><dt className="text-muted-foreground">{name}</dt><dd>{value}</dd></div>)}
      </dl>
    </li>
  )
}

export function RuleList({ rules, stopped, ...acts }: { rules: AlertRule[]; stopped: Stopped } & Acts) {
  const phone = usePhone()
  const now = useNow(rules.some((rule) => rule.silencedUntil != null))
  const { here, setHere } = useRows(rules, { onOpen: (rule) => { if (refusal(rule, 'edit') === null) acts.onEdit(rule) } })
  if (phone) return <ul aria-label={t.rules.title()}>{rules.map((rule) => <Card key={rule.id} rule={rule} now={now} stopped={stopped} {...acts} />)}</ul>
  return (
    <div className="overflow-x-auto [--row:48px] [&_td]:leading-[18px]" tabIndex={0} role="region" aria-label={t.rules.title()}>
      <DataTable label={t.rules.title()} columns={columns(acts, now, stopped)} rows={rules} rowName={ruleWord} tone={(rule) => edgeOf(rule, now, stopped)} dim={(rule) => !rule.enabled} here={here} onHere={setHere} minWidth={1120} />
    </div>
  )
}
