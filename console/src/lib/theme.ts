// The palette: light or dark, kept on this machine, changed without a reload.
import { useSyncExternalStore } from 'react'
import { remember } from './storage'

const listeners = new Set<() => void>()

function isDark(): boolean {
  return document.documentElement.classList.contains('dark')
}

/** Changes the palette and remembers it. */
export function toggleTheme(): void {
  const dark = !isDark()
  document.documentElement.classList.toggle('dark', dark)
  remember('theme', dark ? 'dark' : 'light')
  for (const listener of listeners) listener()
}

export function useDark(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, isDark)
}
