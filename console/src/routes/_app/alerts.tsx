// The alerts.
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { AlertsPage } from '@/features/alerts/alerts-page'
import { t } from '@/features/alerts/texts'
import { pageField } from '@/lib/search'
import { usePageTitle } from '@/lib/title'

const search = z.object({ page: pageField })

export const Route = createFileRoute('/_app/alerts')({
  validateSearch: (input) => search.parse(input),
  component: function Page() {
    usePageTitle(t.title())
    return <AlertsPage />
  },
})
