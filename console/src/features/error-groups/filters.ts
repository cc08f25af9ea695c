// What the address of the page of errors says; pure, and light: every page knows the addresses of all.
import * as z from 'zod/mini'
import { QUEUES } from '@/features/operations/search'
import { loose } from '@/lib/search'

export const HOURS = [1, 6, 24, 168, 720, 2160] as const
export const DEFAULT_HOURS = 24

/** A bureau's code: 101 in an address is a number there and a word here. */
const code = loose(z.pipe(z.pipe(z.union([z.string(), z.number()]), z.transform((value) => String(value))), z.string().check(z.regex(/^\w{1,16}$/))))

export const groupSearchSchema = z.object({
  hours: loose(z.int().check(z.minimum(1), z.maximum(2160))),
  queue: loose(z.enum(QUEUES)),
  bureau: code,
  known: loose(z.boolean()),
})
export type GroupSearch = z.infer<typeof groupSearchSchema>

/** Only what narrows the list is said in the address. */
export function withGroupFilter(search: GroupSearch, change: Partial<GroupSearch>): GroupSearch {
  const next = { ...search, ...change }
  if (next.hours === DEFAULT_HOURS) next.hours = undefined
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as GroupSearch
}

export function groupFilterCount(search: GroupSearch): number {
  return [search.queue, search.bureau, search.known].filter((one) => one !== undefined).length
}
