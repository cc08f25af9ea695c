// The choice of mails as a page of its own: each mail links here.
import { PageHead, Sheet } from '@/components/ui/sheet'
import { Preferences } from './preferences'
import { t } from './texts'

export function PreferencesPage() {
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto max-sm:overflow-visible">
      <PageHead title={t.preferences.title()} />
      <Sheet className="max-w-[640px] flex-none p-4"><Preferences /></Sheet>
    </div>
  )
}
