// How the state of an import is said.
import type { Import } from '@/api/types'
import { StatusBadge, workLook } from '@/features/bulk-actions/status'

export function ImportBadge({ of, box }: { of: Pick<Import, 'status'>; box?: boolean }) {
  return <StatusBadge look={workLook[of.status]} {...(box ? { box } : {})} />
}
