// The history of bulk actions.
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { HistoryPage } from '@/features/bulk-actions/history-page'
import { t } from '@/features/bulk-actions/texts'
import { pageField } from '@/lib/search'
import { usePageTitle } from '@/lib/title'

const search = z.object({ page: pageField })

export const Route = createFileRoute('/_app/bulk_actions/')({
  validateSearch: (input) => search.parse(input),
  loaderDeps: ({ search: { page } }) => ({ page }),
  loader: ({ context: { queryClient }, deps: { page = 1 } }) => {
    import('@/features/bulk-actions/queries').then(({ daysQuery }) => queryClient.prefetchQuery(daysQuery(page))).catch(() => undefined)
  },
  component: function Page() {
    usePageTitle(t.title())
    return <HistoryPage />
  },
})
