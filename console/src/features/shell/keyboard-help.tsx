// The list of keys, opened by "?" or from the top bar.
import { Kbd } from '@/components/ui/chip'
import { Dialog, DialogBody } from '@/components/ui/dialog'
import { useRole } from '@/features/auth/queries'
import { common } from '@/lib/common'
import { pagesOf } from './pages'
import { t } from './texts'
import { PALETTE_KEY } from './top-bar'

export default function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const pages = pagesOf(useRole()?.role)
  const groups: Array<[string, Array<[string[], string]>]> = [
    [t.keys.everywhere(), [[PALETTE_KEY.split(' '), t.keys.palette()], [['/'], t.keys.slash()], [['?'], t.keys.help()], [['Esc'], t.keys.escape()]]],
    [t.keys.lists(), [[['j', 'k'], t.keys.jk()], [['x'], t.keys.x()], [['Enter'], t.keys.enter()], [['r'], t.keys.r()]]],
    [t.keys.pages(), pages.flatMap((page): Array<[string[], string]> => (page.key ? [[['g', page.key], page.word()]] : []))],
  ]
  return (
    <Dialog open onClose={onClose} title={t.keyboard()} closeLabel={common.closeWindow()} size="ask">
      <DialogBody className="grid gap-4">
        {groups.map(([name, keys]) => (
          <section key={name}>
            <h3 className="mb-1">{name}</h3>
            <dl className="grid gap-1">
              {keys.map(([caps, word]) => (
                <div key={word} className="flex items-center gap-3">
                  <dt className="flex w-20 gap-1">{caps.map((cap) => <Kbd key={cap}>{cap}</Kbd>)}</dt>
                  <dd>{word}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </DialogBody>
    </Dialog>
  )
}
