// The processes that take jobs.
import { createFileRoute } from '@tanstack/react-router'
import { t } from '@/features/operations/texts'
import { WorkersPage } from '@/features/operations/workers-page'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/workers')({
  component: function Page() {
    usePageTitle(t.workers.title())
    return <WorkersPage />
  },
})
