// One bulk action.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { ActionPage } from '@/features/bulk-actions/action-page'
import { taskSearchSchema } from '@/features/bulk-actions/task-search'

export const Route = createFileRoute('/_app/bulk_actions/$id')({
  validateSearch: (input) => taskSearchSchema.parse(input),
  beforeLoad: ({ params: { id } }) => {
    if (!/^[1-9]\d{0,15}$/.test(id)) throw redirect({ to: '/dashboard', replace: true })
  },
  loader: async ({ context: { queryClient }, params: { id } }) => {
    const { actionQuery } = await import('@/features/bulk-actions/queries')
    await queryClient.prefetchQuery(actionQuery(Number(id)))
  },
  component: ActionPage,
})
