// The palette: one box that finds a case, a job, a page or a command; arrows choose, Enter does it, Escape gives the focus back.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { useRef, useState } from 'react'
import { Kbd } from '@/components/ui/chip'
import { Icon } from '@/components/ui/icons'
import { common } from '@/lib/common'
import { t as shell } from '../texts'
import { t } from './texts'
import { type PaletteGroup, type PaletteItem, useItems } from './use-items'

function Line({ item, onRun }: { item: PaletteItem; onRun: (item: PaletteItem) => void }) {
  return (
    <Autocomplete.Item
      value={item}
      onClick={() => onRun(item)}
      className="group flex min-h-9 cursor-default items-center gap-2.5 px-4 outline-none data-highlighted:bg-selected data-highlighted:shadow-[inset_2px_0_0_var(--ring)] max-sm:min-h-11"
    >
      <Icon name={item.icon} className="text-muted-foreground" />
      <span className="min-w-0 flex-1 truncate">{item.shown ?? item.word}</span>
      {item.keys ? <span className="flex gap-1 max-sm:hidden">{item.keys.split(' ').map((key) => <Kbd key={key}>{key}</Kbd>)}</span> : null}
      <Kbd className="hidden group-data-highlighted:inline max-sm:hidden!">Enter</Kbd>
    </Autocomplete.Item>
  )
}

export default function Palette({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const [typed, setTyped] = useState('')
  const { groups, searching, failed } = useItems(typed, onHelp)
  const left = useRef(false)
  const count = groups.reduce((sum, group) => sum + group.items.length, 0)

  function run(item: PaletteItem) {
    left.current = item.leaves
    onClose()
    item.run()
  }

  return (
    <Dialog.Root open onOpenChange={(open) => { if (!open) onClose() }}>
      <Dialog.Portal>
        <Dialog.Backdrop data-slot="dialog-backdrop" className="fixed inset-0 z-20 bg-scrim" />
        <Dialog.Popup
          data-slot="dialog"
          finalFocus={() => (left.current ? document.getElementById('title') : true)}
          className="fixed top-[12vh] left-1/2 z-20 flex max-h-[min(520px,76dvh)] w-[560px] max-w-[calc(100vw-24px)] -translate-x-1/2 flex-col overflow-hidden rounded-xl bg-popover shadow-pop outline-none max-sm:top-3"
        >
          <Dialog.Title className="sr-only">{t.title()}</Dialog.Title>
          <Autocomplete.Root open inline mode="none" items={groups} value={typed} onValueChange={setTyped} itemToStringValue={(item: PaletteItem) => item.word} autoHighlight="always" keepHighlight>
            <div className="flex h-11 flex-none items-center gap-2.5 border-b px-4">
              <Icon name="search" className="text-muted-foreground" />
              <Autocomplete.Input aria-label={shell.palette()} placeholder={shell.palette()} maxLength={100} spellCheck={false} className="h-full min-w-0 flex-1 bg-transparent text-md outline-none placeholder:text-muted-foreground" />
              {searching ? <Icon name="run" className="text-run" /> : null}
              <Dialog.Close aria-label={common.closeWindow()} className="grid size-6 place-items-center rounded-sm text-muted-foreground hover:bg-accent hover:text-foreground"><Icon name="x" className="size-3.5" /></Dialog.Close>
            </div>
            <Autocomplete.Status className="sr-only">{searching ? t.searching() : t.found(count)}</Autocomplete.Status>
            {failed ? <p role="alert" className="flex-none border-b px-4 py-2 text-err">{t.failed()}</p> : null}
            <Autocomplete.Empty className="px-4 py-6 text-center text-muted-foreground empty:hidden">{searching ? t.searching() : t.nothing()}</Autocomplete.Empty>
            <Autocomplete.List aria-label={t.title()} className="min-h-0 flex-1 overflow-auto overscroll-contain py-1.5 empty:hidden">
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="px-4 pt-2 pb-0.5 text-2xs font-medium text-muted-foreground">{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>{(item: PaletteItem) => <Line key={item.key} item={item} onRun={run} />}</Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
