// One job.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { JobPage } from '@/features/jobs/job-page'
import { jobQuery } from '@/features/jobs/queries'

export const Route = createFileRoute('/_app/jobs/$id')({
  beforeLoad: ({ params: { id } }) => {
    if (!/^[1-9]\d{0,15}$/.test(id)) throw redirect({ to: '/jobs', replace: true })
  },
  loader: async ({ context: { queryClient }, params: { id } }) => {
    await queryClient.prefetchQuery(jobQuery(Number(id)))
  },
  component: JobPage,
})
