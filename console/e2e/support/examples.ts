// Work that has gone wrong, so that pages have something to show: a bulk action that the register refuses, and what is ordered over its jobs.
import type { Page } from '@playwright/test'
import { call } from './api'
import { confirmLaunch, matches, openLaunch, untilEnded } from './bulk'
import { misbehave } from './simulator'

/** The register refuses everything with these words, until it is told to behave. */
export function refuse(words: string): Promise<void> {
  return misbehave({ act: { refuse: { code: 'KEELDUTUD', text: words } } })
}

/** Synchronises the cases that the address of the list says; returns the action once all its jobs have ended. */
export async function synchronise(page: Page, filter: string): Promise<{ id: number; count: number }> {
  await page.goto(`/case_list?${filter}`)
  await matches(page)
  const count = await confirmLaunch(page, await openLaunch(page, 'Sünkrooni täitmisregistriga'), /^Sünkrooni/)
  await untilEnded(page, 60_000)
  return { id: Number(page.url().split('/').at(-1)), count }
}

/** Retries what the filter finds, or cancels it. */
export async function order(page: Page, kind: 'retry' | 'cancel', filter: Record<string, unknown>, more: { perSecond?: number; reason?: string } = {}): Promise<number> {
  return (await call<{ id: number }>(page, 'POST', '/v2/operator_actions', { kind, filter, ...more })).id
}

/** Waits until the operator action of this page has nothing left to do. */
export async function untilSettled(page: Page): Promise<void> {
  await untilEnded(page, 60_000)
}
