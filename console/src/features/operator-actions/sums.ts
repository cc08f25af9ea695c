// Sums over a preview and the number that is typed; pure.
import type { OperatorPreview } from '@/api/operations'
import { countText } from '@/lib/counts'
import { s } from './texts'

/** From this many jobs on the number is typed. */
const TYPED_ABOVE = 1_000

export function takenOf(preview: OperatorPreview): number {
  return Math.max(0, preview.count.value - preview.skippedCount.value)
}

/** How many are taken up and how many are left alone, as sure as the server is of it. */
export function processedText(preview: OperatorPreview): string {
  const { count, skippedCount: skipped } = preview
  const taken = countText({ ...count, value: takenOf(preview) })
  return s.processed(skipped.kind === 'exact' ? taken : s.upTo(taken), skipped.value > 0 ? countText(skipped) : null)
}

export function mustType(preview: OperatorPreview): boolean {
  return preview.typed || preview.count.value > TYPED_ABOVE
}

/** "25 000" and "25000" are the same number. */
export function isTyped(typed: string, preview: OperatorPreview): boolean {
  return typed.replace(/\D/g, '') === String(preview.count.value)
}
