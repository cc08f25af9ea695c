// The person's own choice of mails.
import { createFileRoute } from '@tanstack/react-router'
import { PreferencesPage } from '@/features/mail/preferences-page'
import { t } from '@/features/mail/texts'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/mail_preferences')({
  component: function Page() {
    usePageTitle(t.preferences.title())
    return <PreferencesPage />
  },
})
