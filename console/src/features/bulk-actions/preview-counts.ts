// Sums over a preview; pure.
import type { Preview } from '@/api/types'

/** Whether cases are skipped for open problems, which the person may override. */
export function isProblemReason(reason: string): boolean {
  return reason.includes('problem')
}

/** How many will be skipped, problems counted only while they are not included. */
export function skippedCount(preview: Preview, includeProblems: boolean): number {
  return preview.skipped.filter((one) => !(includeProblems && isProblemReason(one.reason))).reduce((sum, one) => sum + one.count, 0)
}

export function processedCount(preview: Preview, includeProblems: boolean): number {
  return Math.max(0, preview.count - skippedCount(preview, includeProblems))
}
