// Loads what floats: when it is first asked for, or before that when the page has come to rest.
import { useSyncExternalStore } from 'react'

type Floating = typeof import('./floating')

let loaded: Floating | null = null
let loading: Promise<Floating> | null = null
const listeners = new Set<() => void>()

export function loadFloating(): Promise<Floating> {
  loading ??= import('./floating').then((module) => {
    loaded = module
    for (const listener of listeners) listener()
    return module
  }, (error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What floats, or null while it is not loaded. */
export function useFloating(): Floating | null {
  return useSyncExternalStore(subscribe, () => loaded)
}

/** Loads it in the background; a page that could not load it yet tries again at the click. */
export function restThenLoad(): void {
  const load = () => void loadFloating().catch(() => undefined)
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 4_000 })
  else setTimeout(load, 1_500)
}
