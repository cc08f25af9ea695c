// The window's title is the name of the page that is on screen: a page that is only loaded ahead sets none.
import { useEffect } from 'react'

export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Toimik`
  }, [name])
}
