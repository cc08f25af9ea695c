// One mail.
import { createFileRoute, redirect } from '@tanstack/react-router'
import { MailPage } from '@/features/mail/mail-page'
import { mailSearchSchema } from '@/features/mail/mail-search'

export const Route = createFileRoute('/_app/mailbox/$id')({
  validateSearch: (input) => mailSearchSchema.parse(input),
  beforeLoad: ({ params: { id } }) => {
    if (!/^[1-9]\d{0,15}$/.test(id)) throw redirect({ to: '/mailbox', replace: true })
  },
  component: MailPage,
})
