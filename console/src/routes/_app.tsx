// The frame of every page that needs a signed-in person with a role.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { ready } from '@/api/session'
import { useFiringCount } from '@/features/alerts/firing-count'
import { userQuery } from '@/features/auth/queries'
import { useRunningCount } from '@/features/bulk-actions/queries'
import { useWrongCount } from '@/features/operations/queries'
import { AppShell } from '@/features/shell/app-shell'

export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ location }) => {
    const session = await ready()
    const to = location.href === '/dashboard' ? {} : { to: location.href }
    if (!session) throw redirect({ to: '/signin', search: to, replace: true })
    if (session.tenantId == null) throw redirect({ to: '/choose-role', search: to, replace: true })
    return { session }
  },
  loader: ({ context: { queryClient, session } }) => {
    void queryClient.prefetchQuery(userQuery(session.userId))
  },
  component: function App() {
    return <AppShell counts={{ running: useRunningCount(), wrong: useWrongCount(), firing: useFiringCount() }} />
  },
})
