// Dialogs: focus stays inside, goes back to the opener, and starts on the safe button when asked to.
import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, type RefObject, useRef } from 'react'
import { useHandBack } from '@/lib/hand-on'
import { cn } from '@/lib/utils'
import { Button } from './button'
import { Icon } from './icons'

type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  closeLabel: string
  /** What stands beside the title, such as the steps. */
  aside?: ReactNode
  footer?: ReactNode
  initialFocus?: RefObject<HTMLElement | null>
  size?: 'ask' | 'form' | 'wide'
  children: ReactNode
}

const DOUBLE_CLICK_MS = 500

const width = { ask: 'w-[440px]', form: 'w-[560px]', wide: 'w-[880px]' }

export function Dialog({ open, onClose, title, closeLabel, aside, footer, initialFocus, size = 'form', children }: DialogProps) {
  // What was pressed may have made the dialog smaller: the second click of a double click then falls beside it.
  const pressed = useRef(-Infinity)
  useHandBack()
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => {
        if (!next && !(details.reason === 'outside-press' && details.event.timeStamp - pressed.current < DOUBLE_CLICK_MS)) onClose()
      }}
    >
      <Base.Portal>
        <Base.Backdrop data-slot="dialog-backdrop" className="fixed inset-0 z-20 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          {...(initialFocus ? { initialFocus } : {})}
          data-slot="dialog"
          onPointerDownCapture={(event) => { pressed.current = event.timeStamp }}
          className={cn(
            'fixed top-1/2 left-1/2 z-20 flex max-h-[calc(100dvh-48px)] max-w-[calc(100vw-24px)] -translate-1/2 flex-col overflow-hidden rounded-xl bg-popover shadow-pop outline-none transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0 max-sm:max-h-[calc(100dvh-24px)]',
            width[size],
          )}
        >
          <header className="flex flex-none items-center gap-4 border-b py-3.5 pr-3 pl-5">
            <Base.Title render={<h2 />}>{title}</Base.Title>
            <div className="ml-auto flex items-center gap-4">
              {aside}
              <Base.Close render={<Button variant="ghost" size="mini" aria-label={closeLabel} title={closeLabel} />}>
                <Icon name="x" className="size-3.5" />
              </Base.Close>
            </div>
          </header>
          {children}
          {footer ? <footer className="flex flex-none flex-wrap items-center gap-3 border-t bg-muted px-5 py-3">{footer}</footer> : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

export function DialogBody({ className, ...props }: React.ComponentProps<'div'>) {
  return <div data-slot="dialog-body" className={cn('min-h-0 overflow-auto px-5 py-4', className)} {...props} />
}

/** The steps of a dialog: done ones ticked, the present one in ink. */
export function Steps({ label, words, at }: { label: string; words: string[]; at: number }) {
  return (
    <ol aria-label={label} data-slot="steps" className="flex items-center gap-1 text-xs text-muted-foreground max-sm:hidden">
      {words.map((word, index) => (
        <li key={word} aria-current={index === at ? 'step' : undefined} className={cn('flex items-center gap-1.5 not-first:before:mx-1 not-first:before:h-px not-first:before:w-5 not-first:before:bg-border-strong', index <= at && 'text-foreground', index === at && 'font-semibold')}>
          <span className={cn('grid size-[18px] place-items-center rounded-full border border-input text-2xs leading-none font-semibold', index < at && 'border-foreground', index === at && 'border-foreground bg-foreground text-card')}>
            {index < at ? <Icon name="check" className="size-[11px] stroke-3" /> : index + 1}
          </span>
          {word}
        </li>
      ))}
    </ol>
  )
}
