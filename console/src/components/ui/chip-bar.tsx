// The applied filters in a row: each can be taken away, or all of them.
import { useEffect, useRef } from 'react'
import { text } from '@/lib/texts'
import { Button } from './button'
import { Chip } from './chip'

const texts = {
  applied: text('Rakendatud filtrid', 'Applied filters'),
  remove: text((name: string) => `Eemalda filter: ${name}`, (name) => `Remove filter: ${name}`),
  reset: text('Lähtesta filtrid', 'Reset filters'),
}

export function ChipBar({ chips, onRemove, onReset }: { chips: Array<{ key: string; name: string; value: string }>; onRemove: (key: string) => void; onReset: () => void }) {
  const list = useRef<HTMLUListElement>(null)
  // A removed chip takes its button along: the next one gets the focus, or the heading after the last.
  const removed = useRef<number | null>(null)
  useEffect(() => {
    if (removed.current === null) return
    const next = list.current?.querySelectorAll('button')[removed.current] ?? document.getElementById('title')
    next?.focus({ preventScroll: true })
    removed.current = null
  }, [chips.length])
  if (chips.length === 0) return null
  return (
    <ul ref={list} aria-label={texts.applied()} className="flex min-h-9 flex-none flex-wrap items-center gap-1.5 border-b px-3 py-1">
      {chips.map((chip, index) => (
        <li key={chip.key} className="max-w-full">
          <Chip name={chip.name} value={chip.value} removeLabel={texts.remove(chip.name)} onRemove={() => { removed.current = index; onRemove(chip.key) }} />
        </li>
      ))}
      <li><Button variant="ghost" onClick={() => { removed.current = 0; onReset() }}>{texts.reset()}</Button></li>
    </ul>
  )
}
