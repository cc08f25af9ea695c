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

/** The sum of counts is as sure as the least sure of them; beside a bound the rest says nothing, and falls while the whole grows. */
export function addCounts(...counts: Count[]): Count {
  const bounds = counts.filter((count) => count.kind === 'at_least')
  const value = (bounds.length > 0 ? bounds : counts).reduce((sum, count) => sum + count.value, 0)
  return { value, kind: bounds.length > 0 ? 'at_least' : counts.some((count) => count.kind === 'about') ? 'about' : 'exact' }
}
