// Sums over a preview and the number that is typed; pure.
import type { OperatorPreview } from '@/api/operations'

/** From this many jobs on the number is typed. */
const TYPED_ABOVE = 1_000

export function skippedOf(preview: OperatorPreview): number {
  return preview.skipped.reduce((sum, one) => sum + one.count, 0)
}

export function takenOf(preview: OperatorPreview): number {
  return Math.max(0, preview.count.value - skippedOf(preview))
}

export function mustType(preview: OperatorPreview): boolean {
  return preview.typed || preview.count.value > TYPED_ABOVE
}

/** "25 000" and "25000" are the same number. */
export function isTyped(typed: string, preview: OperatorPreview): boolean {
  return typed.replace(/\D/g, '') === String(preview.count.value)
}
