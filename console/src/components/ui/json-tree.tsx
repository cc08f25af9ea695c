// A value of JSON as a tree that folds; small enough to be our own.
import { useState } from 'react'
import { plural, text } from '@/lib/texts'
import { cn } from '@/lib/utils'
import { Icon } from './icons'

const texts = {
  fields: text((n: number) => `${n} ${plural('et', n, 'väli', 'välja')}`, (n) => `${n} ${plural('en', n, 'field', 'fields')}`),
  masked: text('varjatud', 'masked'),
}

/** What the server puts in place of personal data. */
export function isMasked(value: unknown): boolean {
  return typeof value === 'string' && /^▮+$/u.test(value)
}

function Leaf({ value }: { value: unknown }) {
  if (isMasked(value)) return <span className="text-muted-foreground">"<span aria-hidden="true">{String(value)}</span><span className="sr-only">{texts.masked()}</span>"</span>
  return <span className={cn('wrap-anywhere', value === null && 'text-muted-foreground')}>{JSON.stringify(value)}</span>
}

function Node({ name, value, open: openAtFirst }: { name: string | null; value: unknown; open: boolean }) {
  const [open, setOpen] = useState(openAtFirst)
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    return (
      <li className="flex min-h-6 items-baseline gap-2 pl-5">
        {name === null ? null : <span className="text-muted-foreground">{name}</span>}
        <Leaf value={value} />
      </li>
    )
  }
  const entries = Object.entries(value)
  const mark = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`
  return (
    <li>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="-ml-px inline-flex min-h-6 items-center gap-1 rounded-sm pr-1 hover:bg-accent">
        <Icon name={open ? 'down' : 'right'} className="size-3.5 text-muted-foreground" />
        {name}
        <span aria-hidden="true" className="text-muted-foreground">{mark}</span>
        <span className="sr-only">{texts.fields(entries.length)}</span>
      </button>
      {open ? <ul className="ml-[7px] border-l pl-1">{entries.map(([key, one]) => <Node key={key} name={key} value={one} open={entries.length <= 20} />)}</ul> : null}
    </li>
  )
}

export function JsonTree({ label, value }: { label: string; value: unknown }) {
  const whole = typeof value === 'object' && value !== null ? Object.entries(value) : null
  return (
    <ul aria-label={label} data-slot="json-tree" className="font-mono text-xs leading-5">
      {whole === null ? <Node name={null} value={value} open /> : whole.map(([key, one]) => <Node key={key} name={key} value={one} open />)}
    </ul>
  )
}
