// The audit log.
import { createFileRoute } from '@tanstack/react-router'
import { AuditPage } from '@/features/audit/audit-page'
import { auditSchema } from '@/features/audit/audit-search'
import { t } from '@/features/audit/texts'
import { usePageTitle } from '@/lib/title'

export const Route = createFileRoute('/_app/audit')({
  validateSearch: (input) => auditSchema.parse(input),
  component: function Page() {
    usePageTitle(t.title())
    return <AuditPage />
  },
})
