// What the address of a queue's page says; pure, and light: every page knows the addresses of all.
import * as z from 'zod/mini'
import type { QueueName } from '@/api/operations'
import { loose } from '@/lib/search'

export const QUEUES = ['interactive', 'bulk', 'register', 'arrest', 'import', 'mail', 'cron'] as const satisfies readonly QueueName[]

export function isQueue(name: string): name is QueueName {
  return (QUEUES as readonly string[]).includes(name)
}

const HOUR_MS = 3_600_000
export const RANGES = ['1h', '6h', '24h', '7d', '90d'] as const
export type RangeKey = (typeof RANGES)[number]
export const DEFAULT_RANGE: RangeKey = '6h'
export const spanMs: Record<RangeKey, number> = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '90d': 2160 * HOUR_MS }

export const queueSearchSchema = z.object({
  range: loose(z.enum(RANGES)),
  kind: loose(z.string().check(z.regex(/^[A-Za-z]\w{0,63}$/))),
  table: loose(z.literal(true)),
})
export type QueueSearch = z.infer<typeof queueSearchSchema>

/** Defaults are not said in the address. */
export function withQueueSearch(search: QueueSearch, change: Partial<QueueSearch>): QueueSearch {
  const next = { ...search, ...change }
  if (next.range === DEFAULT_RANGE) next.range = undefined
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as QueueSearch
}
