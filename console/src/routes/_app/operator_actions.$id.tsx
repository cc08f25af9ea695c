// One operator action.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { ActionPage } from '@/features/operator-actions/action-page'
import { itemSearchSchema } from '@/features/operator-actions/item-search'

export const Route = createFileRoute('/_app/operator_actions/$id')({
  validateSearch: (input) => itemSearchSchema.parse(input),
  beforeLoad: ({ params: { id } }) => {
    if (!/^[1-9]\d{0,15}$/.test(id)) throw redirect({ to: '/operator_actions', replace: true })
  },
  loader: async ({ context: { queryClient }, params: { id } }) => {
    const { actionQuery } = await import('@/features/operator-actions/queries')
    await queryClient.prefetchQuery(actionQuery(Number(id)))
  },
  component: ActionPage,
})
