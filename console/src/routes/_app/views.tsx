// The saved views.
import { createFileRoute } from '@tanstack/react-router'
import { t } from '@/features/saved-views/texts'
import { ViewsPage } from '@/features/saved-views/views-page'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/views')({
  component: function Page() {
    usePageTitle(t.title())
    return <ViewsPage />
  },
})
