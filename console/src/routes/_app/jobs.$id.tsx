// One job.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { JobPage } from '@/features/jobs/job-page'

export const Route = createFileRoute('/_app/jobs/$id')({
  beforeLoad: ({ params: { id } }) => {
    if (!/^[1-9]\d{0,15}$/.test(id)) throw redirect({ to: '/jobs', replace: true })
  },
  loader: async ({ context: { queryClient }, params: { id } }) => {
    const { jobQuery } = await import('@/features/jobs/queries')
    await queryClient.prefetchQuery(jobQuery(Number(id)))
  },
  component: JobPage,
})
