// What the address of an operator action's page says; pure.
import * as z from 'zod/mini'
import type { ItemState, OperatorAction } from '@/api/operations'
import { loose } from '@/lib/search'

export const ITEM_TABS = ['failed', 'skipped', 'sent', 'waiting', 'done'] as const satisfies readonly ItemState[]

const word = z.string().check(z.minLength(1), z.maxLength(300))
export const itemSearchSchema = z.object({ tab: loose(z.enum(ITEM_TABS)), reason: loose(word), after: loose(word) })
export type ItemSearch = z.infer<typeof itemSearchSchema>

/** How many items the address asks for, as far as the action tells it. */
export function countOf(search: ItemSearch, action: OperatorAction): number | undefined {
  if (search.reason) return action.skipped.find((one) => one.reason === search.reason)?.count
  return search.tab ? action.counts[search.tab] : action.total
}
