// The list of jobs.
import { createFileRoute } from '@tanstack/react-router'
import { searchSchema } from '@/features/jobs/job-search'
import { JobsPage } from '@/features/jobs/jobs-page'
import { t } from '@/features/jobs/texts'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/jobs/')({
  validateSearch: (input) => searchSchema.parse(input),
  component: function Page() {
    usePageTitle(t.title())
    return <JobsPage />
  },
})
