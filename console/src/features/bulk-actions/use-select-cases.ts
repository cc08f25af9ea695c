// A case selection from the cases of some tasks, and the list of it.
import { useNavigate } from '@tanstack/react-router'
import type { Task } from '@/api/types'
import { useRole } from '@/features/auth/queries'
import { useCreateSelection } from '@/features/cases/queries'
import { toasts } from '@/lib/toasts'
import { t } from './texts'

/** Creates the selection and opens it; tasks whose case has no number are said and left out. */
export function useSelectCases(): { select: (tasks: Task[]) => void; reason: string | null } {
  const navigate = useNavigate()
  const role = useRole()?.role
  const create = useCreateSelection(t.selectError)
  function select(tasks: Task[]) {
    const numbers = [...new Set(tasks.flatMap((task) => task.caseNumber ?? []))]
    if (tasks.some((task) => !task.caseNumber)) toasts.error(t.noNumber())
    if (numbers.length === 0 || create.isPending) return
    create.mutate(numbers, { onSuccess: (made) => void navigate({ to: '/case_list', search: { status: 'all', caseSelection: made.id } }) })
  }
  return { select, reason: role === 'dev' ? t.selectForbidden() : null }
}
