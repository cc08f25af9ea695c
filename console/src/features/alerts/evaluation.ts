// Whether anybody evaluates the rules: without that, no alert is no news; pure.
import type { Cron } from '@/features/crons/list'

const NAME = 'evaluate-alerts'

export type Unevaluated = { cron: number; why: 'off' | 'shut' | 'late' | 'waiting'; /** Null where only the present is known. */ since: string | null }

/** Why nobody evaluates, and since when; null where somebody does. */
export function unevaluated(crons: readonly Cron[]): Unevaluated | null {
  const cron = crons.find((one) => one.name === NAME)
  if (!cron) return null
  const { id, disabled, late_since: late, last } = cron
  if (disabled) return { cron: id, why: disabled.by ? 'off' : 'shut', since: disabled.at }
  if (late) return { cron: id, why: 'late', since: late }
  // The one before has neither ended nor, where no worker takes it, begun.
  return cron.running && last?.outcome === 'skipped' ? { cron: id, why: 'waiting', since: null } : null
}
