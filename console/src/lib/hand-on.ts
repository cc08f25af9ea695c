// What goes away with the focus hands it on to the page's heading, so that the next key is not lost; whoever knows a better place is first.
import { type RefObject, useEffect, useLayoutEffect } from 'react'

/** `held`: it lost the focus only because it was disabled for the moment. */
export function useHandOn(place: RefObject<HTMLElement | null>, held: RefObject<boolean>): void {
  useLayoutEffect(() => () => {
    if (!held.current && (place.current === null || place.current !== document.activeElement)) return
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.getElementById('title')?.focus({ preventScroll: true })
    })
  }, [place, held])
}

/** What goes away gives the focus back by itself; where its opener went before it, to the heading. */
export function useHandBack(): void {
  useEffect(() => () => {
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) document.getElementById('title')?.focus({ preventScroll: true })
    })
  }, [])
}
