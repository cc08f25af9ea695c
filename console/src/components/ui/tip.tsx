// The reason of a closed control in sight: on hover and on focus, beside the control, over everything that could cut it off.
import { type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

const GAP = 4
/** Nearer than this to the window's lower edge the words stand above. */
const ROOM = 64

function place(of: DOMRect): React.CSSProperties {
  const below = of.bottom + ROOM < innerHeight
  const left = of.left + of.width / 2 < innerWidth / 2
  return {
    ...(below ? { top: of.bottom + GAP } : { bottom: innerHeight - of.top + GAP }),
    ...(left ? { left: Math.max(8, of.left) } : { right: Math.max(8, innerWidth - of.right) }),
  }
}

/** Handlers for the control, and the words to draw beside it; nothing without a reason. */
export function useTip(control: RefObject<HTMLElement | null>, reason: string | null | undefined) {
  const [at, setAt] = useState<DOMRect | null>(null)
  const show = () => setAt(control.current?.getBoundingClientRect() ?? null)
  const hide = () => setAt(null)
  const shown = at !== null && !!reason
  useEffect(() => {
    if (!shown) return
    const gone = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === 'Escape') setAt(null)
    }
    addEventListener('scroll', gone, true)
    addEventListener('keydown', gone, true)
    return () => {
      removeEventListener('scroll', gone, true)
      removeEventListener('keydown', gone, true)
    }
  }, [shown])
  return {
    on: reason ? { onMouseEnter: show, onMouseLeave: hide, onFocus: show, onBlur: hide } : {},
    // What is heard is the control's description.
    tip: shown ? createPortal(<span aria-hidden="true" data-slot="tip" style={place(at)} className="pointer-events-none fixed z-50 max-w-[280px] rounded-md bg-primary px-2 py-1 text-xs text-primary-foreground">{reason}</span>, document.body) : null,
  }
}
