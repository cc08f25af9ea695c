// The choice of mails over whatever page one is on.
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { common } from '@/lib/common'
import { Preferences } from './preferences'
import { t } from './texts'

export default function PreferencesDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open size="form" title={t.preferences.title()} closeLabel={common.closeWindow()} onClose={onClose}>
      <DialogBody><Preferences /></DialogBody>
    </Dialog>
  )
}
