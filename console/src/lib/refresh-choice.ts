// How often the page on screen is refreshed, as its person chose; "off" holds for the frame around it and for a return to the tab too.
import { useEffect, useSyncExternalStore } from 'react'
import { recall, remember } from './storage'
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

/** For what stands around every page and is asked for rarely: as the steady pages ask, at this gap of seconds at least. */
export function useRareRefresh(leastSeconds: number): PollEvery {
  const every = useRefreshEvery()
  if (every === 'off') return 'off'
  const steady = every === 'auto' ? kept() : every
  return typeof steady === 'number' ? Math.max(leastSeconds, steady) : leastSeconds
}

/** For the page with the control; the choice ends with the page. */
export function useRefreshChoice(): [PollEvery, (next: PollEvery) => void] {
  useEffect(() => () => choose('auto'), [])
  return [useRefreshEvery(), choose]
}

export const STEADY: PollEvery[] = ['off', 2, 5, 10, 30, 60]

function kept(): PollEvery {
  const before = recall('refresh')
  return STEADY.find((one) => String(one) === before) ?? 5
}

/** For pages that are followed all day: a fixed gap that the next such page and the next visit keep. */
export function useSteadyRefresh(): [PollEvery, (next: PollEvery) => void] {
  const [every, set] = useRefreshChoice()
  useEffect(() => choose(kept()), [])
  return [
    every === 'auto' ? kept() : every,
    (next) => {
      remember('refresh', String(next))
      set(next)
    },
  ]
}
