// Role choice; needs a session but no role yet.
import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ready } from '@/api/session'
import { ChooseRolePage } from '@/features/auth/choose-role-page'
import { userQuery } from '@/features/auth/queries'
import { t } from '@/features/auth/texts'
import { returnPath } from '@/lib/search'
import { usePageTitle } from '@/lib/title'

const search = z.object({ to: returnPath })

export const Route = createFileRoute('/choose-role')({
  validateSearch: (input) => search.parse(input),
  beforeLoad: async () => {
    const session = await ready()
    if (!session) throw redirect({ to: '/signin', replace: true })
    return { session }
  },
  loader: async ({ context: { queryClient, session } }) => {
    await queryClient.ensureQueryData(userQuery(session.userId))
  },
  component: function Page() {
    usePageTitle(t.chooseTitle())
    return <ChooseRolePage />
  },
})
