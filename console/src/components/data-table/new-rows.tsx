// New rows wait behind this pill over the table's head, so that nobody's reading is moved.
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { num } from '@/lib/format'
import { plural, text } from '@/lib/texts'

const texts = {
  rows: text((n: number) => `${num(n)} ${plural('et', n, 'uus rida', 'uut rida')} – näita`, (n) => `${num(n)} ${plural('en', n, 'new row', 'new rows')} – show`),
  changed: text('Loend on muutunud – näita', 'The list has changed – show'),
}

export function NewRows({ waiting, gone, onShow }: { waiting: number; gone: number; onShow: () => void }) {
  if (waiting + gone === 0) return null
  return (
    <Button variant="primary" className="absolute top-[3px] left-1/2 z-[4] h-[26px] -translate-x-1/2 rounded-full text-xs shadow-pop" onClick={onShow}>
      <Icon name="up" />
      {waiting > 0 ? texts.rows(waiting) : texts.changed()}
    </Button>
  )
}
