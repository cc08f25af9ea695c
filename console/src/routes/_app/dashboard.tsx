// The dashboard.
import { createFileRoute } from '@tanstack/react-router'
import { DashboardPage } from '@/features/dashboard/dashboard-page'
import { t } from '@/features/dashboard/texts'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/dashboard')({
  loader: ({ context: { queryClient } }) => {
    // Fetched beside the page's own piece; what failed to come early is asked for again by the page.
    import('@/features/bulk-actions/queries').then(({ daysQuery }) => queryClient.prefetchQuery(daysQuery(1))).catch(() => undefined)
    import('@/features/imports/queries').then(({ importsQuery }) => queryClient.prefetchQuery(importsQuery)).catch(() => undefined)
  },
  component: function Page() {
    usePageTitle(t.title())
    return <DashboardPage />
  },
})
