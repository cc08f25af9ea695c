// The crons.
import { createFileRoute } from '@tanstack/react-router'
import { CronsPage } from '@/features/crons/crons-page'
import { t } from '@/features/crons/texts'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/crons/')({
  component: function Page() {
    usePageTitle(t.title())
    return <CronsPage />
  },
})
