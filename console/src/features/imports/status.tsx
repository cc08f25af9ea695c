// How an import is said: its state, its name and what came of it.
import type { Import } from '@/api/types'
import { StatusBadge, workLook } from '@/features/bulk-actions/status'
import { num } from '@/lib/format'
import { text } from '@/lib/texts'
import { t } from './texts'

export function ImportBadge({ of, box }: { of: Pick<Import, 'status'>; box?: boolean }) {
  return <StatusBadge look={workLook[of.status]} {...(box ? { box } : {})} />
}

export const importForbidden = text('Toimikuid impordib kohtutäitur.', 'Cases are imported by a bailiff.')

export function importName(of: Pick<Import, 'fileName' | 'type'>): string {
  return of.fileName || t.named(t.kinds[of.type]())
}

/** Errors in rows mean that nothing was changed; a failure without them says why itself. */
export function importFailure(of: Pick<Import, 'errorCount' | 'message'>): string {
  return of.errorCount > 0 ? t.failed() : (of.message ?? t.failedNoList())
}

/** One line: how far it is, or what came of it. */
export function importSaid(of: Import): string {
  if (of.status === 1) return of.startedAt ? t.working(of.percent) : t.queued()
  if (of.status === 3) return of.errorCount > 0 ? t.errors(of.errorCount) : importFailure(of)
  if (of.status === 4) return t.cancelled()
  return t.sums(num(of.added), num(of.updated), num(of.unchanged))
}
