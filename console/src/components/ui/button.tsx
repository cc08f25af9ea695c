// Buttons: one ink button a view, quiet ones beside it; a disabled one tells why.
import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { type RefObject, useId, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { useHandOn } from '@/lib/hand-on'
import { cn } from '@/lib/utils'
import { useTip } from './tip'

const buttonVariants = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors duration-100 ease-calm select-none [&_svg]:size-3.5 disabled:cursor-not-allowed disabled:border-border disabled:bg-muted disabled:text-muted-foreground aria-disabled:cursor-not-allowed aria-disabled:border-border aria-disabled:bg-muted aria-disabled:text-muted-foreground',
  {
    variants: {
      variant: {
        secondary: 'border-border-strong bg-secondary text-secondary-foreground hover:bg-[color-mix(in_oklab,var(--secondary)_94%,var(--foreground))] aria-expanded:border-input aria-expanded:bg-accent aria-pressed:border-input aria-pressed:bg-accent',
        primary: 'border-primary bg-primary text-primary-foreground hover:bg-[color-mix(in_oklab,var(--primary)_90%,var(--background))]',
        ghost: 'border-transparent text-muted-foreground hover:bg-accent hover:text-foreground aria-expanded:bg-accent aria-expanded:text-foreground disabled:border-transparent disabled:bg-transparent aria-disabled:border-transparent aria-disabled:bg-transparent',
        danger: 'border-border-strong bg-secondary text-err hover:bg-[color-mix(in_oklab,var(--secondary)_94%,var(--foreground))]',
        destructive: 'border-destructive bg-destructive text-destructive-foreground hover:bg-[color-mix(in_oklab,var(--destructive)_90%,black)]',
      },
      size: {
        default: 'h-7 px-2.5',
        icon: 'size-7 p-0 [&_svg]:size-4',
        lg: 'h-9 px-3.5',
        dock: 'h-11 px-3.5',
        mini: 'size-6 rounded-sm border-0 p-0 [&_svg]:size-4',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'default' },
  },
)

export type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonVariants> & {
  /** Why the button does nothing now; it stays focusable so that the reason can be read. */
  reason?: string | null | undefined
  /** Pressed again and again on purpose; elsewhere the second click of a double click is none. */
  repeats?: boolean
}

/** A button that is disabled while what it began runs gets the focus back afterwards, if nothing else has taken it. */
function useFocusBack(button: RefObject<HTMLButtonElement | null>, disabled: boolean): RefObject<boolean> {
  const held = useRef(false)
  useLayoutEffect(() => {
    if (disabled) held.current = document.activeElement === button.current
    else if (held.current) {
      held.current = false
      if (document.activeElement === document.body) button.current?.focus({ preventScroll: true })
    }
  }, [button, disabled])
  return held
}

export function Button({ className, variant, size, type = 'button', reason, repeats = false, onClick, title, ref, ...props }: ButtonProps) {
  const id = useId()
  const own = useRef<HTMLButtonElement>(null)
  useImperativeHandle(ref, () => own.current as HTMLButtonElement)
  const closed = reason != null
  const { on, tip } = useTip(own, reason)
  useHandOn(own, useFocusBack(own, props.disabled === true))
  return (
    <>
      <button
        ref={own}
        data-slot="button"
        type={type}
        className={cn(buttonVariants({ variant, size }), className)}
        title={closed ? undefined : title}
        onClick={(event) => {
          if (closed || (event.detail > 1 && !repeats)) event.preventDefault()
          else onClick?.(event)
        }}
        {...(closed ? { 'aria-disabled': true, 'aria-describedby': id } : {})}
        {...props}
        {...on}
      />
      {closed ? <span id={id} hidden>{reason}</span> : null}
      {tip}
    </>
  )
}

export { buttonVariants }
