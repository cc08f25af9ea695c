// The case list.
import { createFileRoute } from '@tanstack/react-router'
import { CasesPage } from '@/features/cases/cases-page'
import { searchSchema } from '@/features/cases/filters'
import { claimTypesQuery, columnsQuery } from '@/features/cases/queries'
import { t } from '@/features/cases/texts'
import { pageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/case_list')({
  validateSearch: (input) => searchSchema.parse(input),
  loader: ({ context: { queryClient } }) => {
    pageTitle(t.title())
    void queryClient.prefetchQuery(columnsQuery)
    void queryClient.prefetchQuery(claimTypesQuery)
  },
  component: CasesPage,
})
