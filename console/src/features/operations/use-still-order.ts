// Rows that do not move under the hand of who works with them.
import { type FocusEvent, useState } from 'react'

/** While somebody points into the rows or has the focus there, they stay where they are, whatever the server's order. */
export function useStillOrder<T extends { name: string }>(fresh: T[]) {
  const [pointed, setPointed] = useState(false)
  const [focused, setFocused] = useState(false)
  const [order, setOrder] = useState<string[]>([])
  const names = fresh.map((one) => one.name)
  const held = (pointed || focused) && order.length === names.length && names.every((name) => order.includes(name))
  if (!held && names.join() !== order.join()) setOrder(names)
  return {
    queues: held ? fresh.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)) : fresh,
    reading: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent) => setFocused(event.currentTarget.contains(event.relatedTarget)),
    },
  }
}
