// The mails.
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { MailboxPage } from '@/features/mail/mailbox-page'
import { t } from '@/features/mail/texts'
import { pageField } from '@/lib/search'
import { usePageTitle } from '@/lib/title'

const search = z.object({ page: pageField })

export const Route = createFileRoute('/_app/mailbox/')({
  validateSearch: (input) => search.parse(input),
  component: function Page() {
    usePageTitle(t.title())
    return <MailboxPage />
  },
})
