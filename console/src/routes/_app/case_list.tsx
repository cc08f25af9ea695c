// The case list.
import { createFileRoute } from '@tanstack/react-router'
import { CasesPage } from '@/features/cases/cases-page'
import { searchSchema } from '@/features/cases/filters'
import { t } from '@/features/cases/texts'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/case_list')({
  validateSearch: (input) => searchSchema.parse(input),
  loader: ({ context: { queryClient, session }, location, cause }) => {
    // What failed to come early is asked for again by the page, which also says so.
    if (cause === 'enter') {
      const search = searchSchema.parse(location.search)
      import('@/features/cases/first-page').then(({ prefetchCases }) => prefetchCases(queryClient, session.userId, search)).catch(() => undefined)
    }
  },
  component: function Page() {
    usePageTitle(t.title())
    return <CasesPage />
  },
})
