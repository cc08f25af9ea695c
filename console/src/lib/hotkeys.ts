// Single-key commands: never inside a field, never while a dialog or menu is open, never with Ctrl, Alt or ⌘.
import { useEffect, useRef } from 'react'

export type Hotkeys = Record<string, (event: KeyboardEvent) => void>

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

/** Listens while mounted; the latest handlers are always the ones called. */
export function useHotkeys(keys: Hotkeys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const act = latest.current[event.key]
      if (!act || busy(event)) return
      event.preventDefault()
      act(event)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
