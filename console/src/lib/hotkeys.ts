// Commands by key: never inside a field, never while a dialog or menu is open, never with Ctrl, Alt or ⌘. "g t" is two keys, one after the other.
import { useEffect, useRef } from 'react'

export type Hotkeys = Record<string, (event: KeyboardEvent) => void>

/** For so long the second key of a pair is waited for. */
const PAIR_MS = 1_500

type Registered = { current: Hotkeys }
const registered = new Set<Registered>()
let first: { key: string; at: number } | null = null

function busy(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true
  const target = event.target
  if (target instanceof HTMLElement) {
    if (target.isContentEditable || target.closest('textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]')) return true
    if (target instanceof HTMLInputElement && !['checkbox', 'radio'].includes(target.type)) return true
    // Enter on a link or button is that control's own.
    if (event.key === 'Enter' && target.closest('a, button, summary, input')) return true
  }
  return document.querySelector('[data-slot="dialog"]') !== null
}

function actsFor(name: string): Array<(event: KeyboardEvent) => void> {
  return [...registered].flatMap((keys) => keys.current[name] ?? [])
}

function begins(key: string): boolean {
  return [...registered].some((keys) => Object.keys(keys.current).some((name) => name.startsWith(`${key} `)))
}

function listen(event: KeyboardEvent): void {
  if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
  const before = first && event.timeStamp - first.at <= PAIR_MS ? first.key : null
  first = null
  if (busy(event)) return
  // The second key of a pair is never a command of its own.
  const acts = actsFor(before === null ? event.key : `${before} ${event.key}`)
  if (before === null && begins(event.key)) first = { key: event.key, at: event.timeStamp }
  if (acts.length > 0) event.preventDefault()
  for (const act of acts) act(event)
}

/** Listens while mounted; the latest handlers are always the ones called. */
export function useHotkeys(keys: Hotkeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    if (registered.size === 0) document.addEventListener('keydown', listen)
    registered.add(latest)
    return () => {
      registered.delete(latest)
      if (registered.size === 0) document.removeEventListener('keydown', listen)
    }
  }, [])
}

/** Ctrl+K, or ⌘K on a Mac: the one command that works inside a field too. */
export function isPaletteKey(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k'
}
