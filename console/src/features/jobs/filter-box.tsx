// The filter as text: suggestions while it is typed, what is wrong under the box, the address when it is understood.
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { JobFilter } from '@/api/operations'
import { Kbd } from '@/components/ui/chip'
import { Input } from '@/components/ui/field'
import { Icon } from '@/components/ui/icons'
import { cn } from '@/lib/utils'
import { parse, type Problem, problemSentence } from './parse'
import { accept, suggest, type Suggestion } from './suggest'
import { t } from './texts'
import { write } from './write'

const PAUSE_MS = 700

function Wrong({ id, typed, problem }: { id: string; typed: string; problem: Problem }) {
  const to = Math.max(problem.to, problem.from + 1)
  return (
    <p id={id} role="alert" className="flex flex-wrap items-baseline gap-x-3 pt-1 text-xs text-err">
      <span>{problemSentence(problem)}</span>
      <span aria-hidden="true" className="font-mono break-all text-muted-foreground">
        {typed.slice(Math.max(0, problem.from - 24), problem.from)}
        <span className="text-err underline decoration-wavy underline-offset-2">{typed.slice(problem.from, to) || '\u00a0'}</span>
        {typed.slice(to, to + 12)}
      </span>
    </p>
  )
}

function Options({ id, found, at, onPick }: { id: string; found: Suggestion[]; at: number; onPick: (one: Suggestion) => void }) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  return (
    <div ref={list} id={id} role="listbox" aria-label={t.suggestions()} className="absolute top-[30px] left-0 z-30 max-h-80 w-max max-w-full min-w-72 overflow-auto rounded-lg bg-popover py-1.5 shadow-pop">
      {found.map((one, index) => (
        <div
          key={one.key}
          tabIndex={-1}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          // The pointer must not take the focus from the field.
          onMouseDown={(event) => {
            event.preventDefault()
            onPick(one)
          }}
          className={cn('flex min-h-7 cursor-default items-baseline gap-4 px-3 py-0.5 hover:bg-accent', index === at && 'bg-selected shadow-[inset_2px_0_0_var(--ring)]')}
        >
          <span className="font-medium">{one.word}</span>
          <span className="ml-auto text-xs text-muted-foreground">{one.hint}</span>
        </div>
      ))}
    </div>
  )
}

export function FilterBox({ filter, field, onChange }: { filter: JobFilter; field: RefObject<HTMLInputElement | null>; onChange: (filter: JobFilter) => void }) {
  const id = useId()
  const committed = write(filter)
  const [typed, setTyped] = useState(committed)
  const [base, setBase] = useState(committed)
  /** Committed by this box and not yet come back. */
  const [sent, setSent] = useState<string[]>([])
  const [problem, setProblem] = useState<Problem | null>(null)
  const [caret, setCaret] = useState(0)
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const [due, setDue] = useState<{ text: string } | null>(null)
  const place = useRef<number | null>(null)

  // Changed elsewhere (a chip, a tab, the way back) it wins over what stands in the box; what comes back of one's own leaves the typing alone.
  if (base !== committed) {
    setBase(committed)
    const place = sent.indexOf(committed)
    setSent(place < 0 ? [] : sent.slice(place + 1))
    if (place < 0) {
      setTyped(committed)
      setProblem(null)
    }
  }
  const found = open ? suggest(typed, caret) : []
  const shown = found.length > 0

  function commit(text: string): boolean {
    setDue(null)
    const read = parse(text)
    setProblem(read.problems[0] ?? null)
    if (read.problems.length > 0) return false
    const next = write(read.filter)
    if (next !== (sent.at(-1) ?? committed)) {
      setSent([...sent, next])
      onChange(read.filter)
    }
    return true
  }
  function pick(one: Suggestion) {
    const next = accept(typed, one)
    setTyped(next.text)
    setCaret(next.caret)
    setAt(-1)
    place.current = next.caret
    if (one.insert.endsWith(' ')) {
      setOpen(false)
      commit(next.text)
    }
  }

  useLayoutEffect(() => {
    if (place.current === null) return
    field.current?.setSelectionRange(place.current, place.current)
    place.current = null
  })
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  })
  useEffect(() => {
    if (!due) return
    const timer = setTimeout(() => {
      // A word that may still become a field or a value is left to be finished.
      if (!suggest(due.text, due.text.length).some((one) => one.from < one.to)) latest.current(due.text)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [due])

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const active = found[at]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) setOpen(true)
      if (shown) setAt(event.key === 'ArrowDown' ? (at + 1) % found.length : at <= 0 ? found.length - 1 : at - 1)
    } else if ((event.key === 'Tab' || event.key === 'Enter') && !event.shiftKey && active) {
      event.preventDefault()
      pick(active)
    } else if (event.key === 'Enter') {
      setOpen(false)
      commit(typed)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (shown) setOpen(false)
      else {
        setTyped(committed)
        setProblem(null)
        setDue(null)
      }
      setAt(-1)
    }
  }

  return (
    <div className="min-w-0 flex-1 basis-72">
      <div className="relative">
        <Input
          ref={field}
          role="combobox"
          aria-label={t.filter()}
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={shown ? `${id}-list` : undefined}
          aria-activedescendant={shown && at >= 0 ? `${id}-list-${at}` : undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          invalid={problem !== null}
          autoComplete="off"
          spellCheck={false}
          maxLength={2_000}
          placeholder={t.filterHint()}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setCaret(event.target.selectionStart ?? event.target.value.length)
            setDue({ text: event.target.value })
            setProblem(null)
            setOpen(true)
            setAt(-1)
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setOpen(false)
            setAt(-1)
            if (commit(typed)) setTyped(write(parse(typed).filter))
          }}
          before={<Icon name="search" className="size-3.5" />}
          after={<Kbd className="max-sm:hidden">/</Kbd>}
        />
        {shown ? <Options id={`${id}-list`} found={found} at={at} onPick={pick} /> : null}
      </div>
      {problem ? <Wrong id={`${id}-problem`} typed={typed} problem={problem} /> : null}
    </div>
  )
}
