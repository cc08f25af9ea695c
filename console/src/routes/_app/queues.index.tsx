// The queues.
import { createFileRoute } from '@tanstack/react-router'
import { OverviewPage } from '@/features/operations/overview-page'
import { t } from '@/features/operations/texts'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/queues/')({
  loader: ({ context: { queryClient } }) => {
    import('@/features/operations/queries').then(({ overviewQuery }) => queryClient.prefetchQuery(overviewQuery)).catch(() => undefined)
  },
  component: function Page() {
    usePageTitle(t.title())
    return <OverviewPage />
  },
})
