// Failed jobs by the error they share.
import { createFileRoute } from '@tanstack/react-router'
import { groupSearchSchema } from '@/features/error-groups/filters'
import { GroupsPage } from '@/features/error-groups/groups-page'
import { t } from '@/features/error-groups/texts'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/errors')({
  validateSearch: (input) => groupSearchSchema.parse(input),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => {
    import('@/features/error-groups/queries').then(({ groupsQuery }) => queryClient.prefetchQuery(groupsQuery(deps))).catch(() => undefined)
  },
  component: function Page() {
    usePageTitle(t.title())
    return <GroupsPage />
  },
})
