// How often the page on screen is refreshed, as its person chose; "off" holds for the frame around it and for a return to the tab too.
import { useEffect, useSyncExternalStore } from 'react'
import type { PollEvery } from './use-poll'

let chosen: PollEvery = 'auto'
const listeners = new Set<() => void>()

function choose(next: PollEvery): void {
  chosen = next
  for (const listener of listeners) listener()
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The choice of the page on screen, for what stands around it. */
export function useRefreshEvery(): PollEvery {
  return useSyncExternalStore(listen, () => chosen)
}

export function refreshIsOff(): boolean {
  return chosen === 'off'
}

/** For the page with the control; the choice ends with the page. */
export function useRefreshChoice(): [PollEvery, (next: PollEvery) => void] {
  useEffect(() => () => choose('auto'), [])
  return [useRefreshEvery(), choose]
}
