// The short messages in the corner: a small store that anything may write to and one component shows.
import { useSyncExternalStore } from 'react'

export type ToastKind = 'success' | 'info' | 'error'
export type ToastEntry = { id: number; kind: ToastKind; message: string; undo?: () => void; until: number }

const LASTS_MS: Record<ToastKind, number> = { success: 3_000, info: 3_000, error: 6_000 }
const UNDO_MS = 10_000

let entries: ToastEntry[] = []
let nextId = 1
const listeners = new Set<() => void>()

function set(next: ToastEntry[]): void {
  entries = next
  for (const listener of listeners) listener()
}

export function dismiss(id: number): void {
  set(entries.filter((entry) => entry.id !== id))
}

function add(kind: ToastKind, message: string, ms = LASTS_MS[kind], undo?: () => void): void {
  const id = nextId++
  const same = entries.find((entry) => entry.message === message && entry.kind === kind && !entry.undo)
  set([...entries.filter((entry) => entry !== same), { id, kind, message, until: Date.now() + ms, ...(undo ? { undo } : {}) }])
  setTimeout(() => dismiss(id), ms)
}

export const toasts = {
  success: (message: string) => add('success', message),
  info: (message: string) => add('info', message),
  error: (message: string, ms?: number) => add('error', message, ms),
  /** An act that happened and can be taken back for ten seconds. */
  undoable: (message: string, undo: () => void) => add('success', message, UNDO_MS, undo),
}

export function useToasts(): ToastEntry[] {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, () => entries)
}
