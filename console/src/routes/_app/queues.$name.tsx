// One queue.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { QueuePage } from '@/features/operations/queue-page'
import { isQueue, queueSearchSchema } from '@/features/operations/search'

export const Route = createFileRoute('/_app/queues/$name')({
  validateSearch: (input) => queueSearchSchema.parse(input),
  beforeLoad: ({ params: { name } }) => {
    if (!isQueue(name)) throw redirect({ to: '/queues', replace: true })
  },
  loader: ({ context: { queryClient }, params: { name } }) => {
    import('@/features/operations/queries').then(({ queueQuery }) => (isQueue(name) ? queryClient.prefetchQuery(queueQuery(name)) : undefined)).catch(() => undefined)
  },
  component: QueuePage,
})
