// Sign-in; a person whose session still holds goes on to role choice.
import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { ready } from '@/api/session'
import { SignInPage } from '@/features/auth/sign-in-page'
import { t } from '@/features/auth/texts'
import { loose, returnPath } from '@/lib/search'
import { usePageTitle } from '@/lib/title'

const search = z.object({ way: loose(z.literal('provider')), to: returnPath })

export const Route = createFileRoute('/signin')({
  validateSearch: (input) => search.parse(input),
  beforeLoad: async ({ search: { to } }) => {
    if (await ready()) throw redirect({ to: '/choose-role', search: to ? { to } : {}, replace: true })
  },
  component: function Page() {
    usePageTitle(t.title())
    return <SignInPage />
  },
})
