// One bulk action.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { ActionPage } from '@/features/bulk-actions/action-page'
import { actionQuery } from '@/features/bulk-actions/queries'
import { taskSearchSchema } from '@/features/bulk-actions/task-search'
import { t, typeWord } from '@/features/bulk-actions/texts'
import { pageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/bulk_actions/$id')({
  validateSearch: (input) => taskSearchSchema.parse(input),
  beforeLoad: ({ params: { id } }) => {
    if (!/^[1-9]\d{0,15}$/.test(id)) throw redirect({ to: '/dashboard', replace: true })
  },
  loader: async ({ context: { queryClient }, params: { id } }) => {
    pageTitle(t.title())
    const action = await queryClient.fetchQuery(actionQuery(Number(id))).catch(() => null)
    if (action) pageTitle(`${typeWord[action.type]()} ${t.numberOf(action.id)}`)
  },
  component: ActionPage,
})
