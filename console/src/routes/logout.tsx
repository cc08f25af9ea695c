// Signing out: ends the session and goes to sign-in.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { signOut } from '@/features/auth/queries'

export const Route = createFileRoute('/logout')({
  beforeLoad: async ({ context: { queryClient }, preload }) => {
    // A link that is only pointed at ends nothing.
    if (preload) return
    await signOut()
    queryClient.clear()
    throw redirect({ to: '/signin', replace: true })
  },
})
