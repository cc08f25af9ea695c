// The dashboard.
import { createFileRoute } from '@tanstack/react-router'
import { daysQuery } from '@/features/bulk-actions/queries'
import { DashboardPage } from '@/features/dashboard/dashboard-page'
import { t } from '@/features/dashboard/texts'
import { importsQuery } from '@/features/imports/queries'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/dashboard')({
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(daysQuery(1))
    void queryClient.prefetchQuery(importsQuery)
  },
  component: function Page() {
    usePageTitle(t.title())
    return <DashboardPage />
  },
})
