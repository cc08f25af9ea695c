// How a count is said that may be exact, estimated or cut short.
import type { Count } from '@/api/operations'
import { num } from './format'
import { text } from './texts'

const about = text((n: string) => `umbes ${n}`, (n) => `about ${n}`)

/** To three figures: what comes from the rollup is no truer than that. */
function rough(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 2)
  return Math.round(value / step) * step
}

/** "37", "umbes 84 300", "10 000+". */
export function countText(count: Count): string {
  if (count.kind === 'about') return about(num(rough(count.value)))
  return count.kind === 'at_least' ? `${num(count.value)}+` : num(count.value)
}

/** The sum of counts is as sure as the least sure of them. */
export function addCounts(...counts: Count[]): Count {
  const value = counts.reduce((sum, count) => sum + count.value, 0)
  const kinds = new Set(counts.map((count) => count.kind))
  return { value, kind: kinds.has('at_least') ? 'at_least' : kinds.has('about') ? 'about' : 'exact' }
}
