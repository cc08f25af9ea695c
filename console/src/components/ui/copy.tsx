// Copies a text, and says that it did.
import { text } from '@/lib/texts'
import { toasts } from '@/lib/toasts'
import { Button } from './button'
import { Icon } from './icons'

const copied = text('Kopeeritud', 'Copied')

export function Copy({ label, value }: { label: string; value: string }) {
  return (
    <Button variant="ghost" size="mini" aria-label={label} title={label} onClick={() => void navigator.clipboard?.writeText(value).then(() => toasts.success(copied()), () => undefined)}>
      <Icon name="copy" className="size-3.5" />
    </Button>
  )
}
