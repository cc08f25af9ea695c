// One cron.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { CronPage } from '@/features/crons/cron-page'

export const Route = createFileRoute('/_app/crons/$id')({
  beforeLoad: ({ params: { id } }) => {
    if (!/^[1-9]\d{0,15}$/.test(id)) throw redirect({ to: '/crons', replace: true })
  },
  component: CronPage,
})
