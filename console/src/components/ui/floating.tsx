// What floats over the page, once it is loaded: menus walked by arrow keys, popovers; Escape gives the focus back. Used through menu.tsx.
import { Menu as Base } from '@base-ui/react/menu'
import { Popover as BasePopover } from '@base-ui/react/popover'
import { cn } from '@/lib/utils'
import { Icon } from './icons'
import type { MenuChoiceProps, MenuItemProps, MenuProps, PopoverProps } from './menu'

const surface = 'z-30 max-h-[min(480px,var(--available-height))] overflow-auto rounded-lg bg-popover shadow-pop outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0'
const itemLook = 'flex min-h-8 cursor-default items-center gap-2.5 px-3 py-1 outline-none data-highlighted:bg-selected data-highlighted:shadow-[inset_2px_0_0_var(--ring)] data-disabled:text-muted-foreground [&_svg]:text-muted-foreground'

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-30">
          <Base.Popup data-slot="menu" className={cn(surface, 'min-w-56 py-1.5')}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** One act of a menu; a disabled one says why in its second line. */
export function MenuItem({ icon, hint, disabled = false, onClick, children }: MenuItemProps) {
  return (
    <Base.Item data-slot="menu-item" disabled={disabled} className={itemLook} onClick={() => onClick?.()}>
      {icon}
      <span className="grid">
        <span>{children}</span>
        {hint ? <span className="text-xs text-muted-foreground">{hint}</span> : null}
      </span>
    </Base.Item>
  )
}

export function MenuChoice<T extends string | number>({ label, value, options, onChange }: MenuChoiceProps<T>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next: T) => onChange(next)}>
      <Base.Group>
        <Base.GroupLabel className="px-3 pt-2 pb-0.5 text-2xs font-medium text-muted-foreground">{label}</Base.GroupLabel>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} closeOnClick className={itemLook}>
            <span className="w-3.5">{option.value === value ? <Icon name="check" className="size-3.5" /> : null}</span>
            <span className="grid">
              <span>{option.word}</span>
              {option.hint ? <span className="text-xs text-muted-foreground">{option.hint}</span> : null}
            </span>
          </Base.RadioItem>
        ))}
      </Base.Group>
    </Base.RadioGroup>
  )
}

export function MenuLine() {
  return <Base.Separator className="my-1.5 h-px bg-border" />
}

export function Popover({ trigger, label, align = 'end', open, onOpenChange, className, children }: PopoverProps) {
  return (
    <BasePopover.Root open={open} onOpenChange={onOpenChange}>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner align={align} sideOffset={4} className="z-30">
          <BasePopover.Popup data-slot="popover" aria-label={label} className={cn(surface, className)}>{children}</BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  )
}
