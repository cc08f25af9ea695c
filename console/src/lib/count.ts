// How a count is said: as it is, about, or at least; pure.
import type { Count } from '@/api/operations'
import { num } from './format'
import { text } from './texts'

const about = text((n: string) => `umbes ${n}`, (n) => `about ${n}`)

/** Rounded to three figures: what comes from the rollup is no truer than that. */
function rough(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 2)
  return Math.round(value / step) * step
}

/** "84 312", "umbes 84 300" or "10 000+". */
export function countWord({ value, kind }: Count): string {
  if (kind === 'at_least') return `${num(value)}+`
  return kind === 'about' ? about(num(rough(value))) : num(value)
}

/** The sum of counts: as sure as the least sure of them. */
export function addCounts(counts: Count[]): Count {
  const kind = counts.some((one) => one.kind === 'at_least') ? 'at_least' : counts.some((one) => one.kind === 'about') ? 'about' : 'exact'
  return { value: counts.reduce((sum, one) => sum + one.value, 0), kind }
}
