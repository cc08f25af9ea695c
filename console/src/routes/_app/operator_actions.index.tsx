// The operator actions.
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ListPage } from '@/features/operator-actions/list-page'
import { t } from '@/features/operator-actions/texts'
import { pageField } from '@/lib/search'
import { usePageTitle } from '@/lib/title'

const search = z.object({ page: pageField })

export const Route = createFileRoute('/_app/operator_actions/')({
  validateSearch: (input) => search.parse(input),
  component: function Page() {
    usePageTitle(t.title())
    return <ListPage />
  },
})
