// Menus and popovers, which cost the page nothing until one is opened: what floats is loaded when the page has come to rest.
import { cloneElement, type ReactElement, type ReactNode, useState } from 'react'
import { common } from '@/lib/common'
import { toasts } from '@/lib/toasts'
import { loadFloating, useFloating } from './load-floating'

export type MenuProps = { trigger: ReactElement<TriggerProps>; align?: 'start' | 'end'; children: ReactNode }
export type MenuItemProps = { icon?: ReactNode; hint?: ReactNode; disabled?: boolean; onClick?: () => void; children: ReactNode }
export type MenuChoiceProps<T extends string | number> = { label: string; value: T; options: Array<{ value: T; word: ReactNode; hint?: ReactNode }>; onChange: (value: T) => void }
export type PopoverProps = { trigger: ReactElement<TriggerProps>; label: string; align?: 'start' | 'end'; open: boolean; onOpenChange: (open: boolean) => void; className?: string; children: ReactNode }
type TriggerProps = React.ButtonHTMLAttributes<HTMLButtonElement>

/** The trigger by itself, until it is used for the first time. */
function Resting({ trigger, popup, onOpen }: { trigger: ReactElement<TriggerProps>; popup: 'menu' | 'dialog'; onOpen: () => void }) {
  const open = () => void loadFloating().then(onOpen, () => toasts.error(common.chunkFailed()))
  return cloneElement(trigger, {
    'aria-haspopup': popup,
    'aria-expanded': false,
    onClick: open,
    onKeyDown: (event) => {
      if (popup !== 'menu' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return
      event.preventDefault()
      open()
    },
  })
}

export function Menu(props: MenuProps) {
  const [used, setUsed] = useState(false)
  const floating = useFloating()
  if (!used || !floating) return <Resting trigger={props.trigger} popup="menu" onOpen={() => setUsed(true)} />
  return <floating.Menu {...props} />
}

/** One act of a menu; a disabled one says why in its second line. */
export function MenuItem(props: MenuItemProps) {
  const floating = useFloating()
  return floating ? <floating.MenuItem {...props} /> : null
}

export function MenuChoice<T extends string | number>(props: MenuChoiceProps<T>) {
  const floating = useFloating()
  return floating ? <floating.MenuChoice {...props} /> : null
}

export function MenuLine() {
  const floating = useFloating()
  return floating ? <floating.MenuLine /> : null
}

export function Popover({ open, onOpenChange, ...props }: Omit<PopoverProps, 'open' | 'onOpenChange'> & { open?: boolean; onOpenChange?: (open: boolean) => void }) {
  const [used, setUsed] = useState(false)
  const [own, setOwn] = useState(false)
  const floating = useFloating()
  const change = (next: boolean) => {
    setOwn(next)
    onOpenChange?.(next)
  }
  if (!used || !floating) {
    return (
      <Resting
        trigger={props.trigger}
        popup="dialog"
        onOpen={() => {
          setUsed(true)
          change(true)
        }}
      />
    )
  }
  return <floating.Popover {...props} open={open ?? own} onOpenChange={change} />
}
