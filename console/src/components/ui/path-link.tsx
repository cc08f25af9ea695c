// A link to a path of our own that the server gave, question mark and all.
import { useRouter } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

export function PathLink({ path, ...props }: Omit<ComponentProps<'a'>, 'href' | 'onClick'> & { path: string }) {
  const router = useRouter()
  return (
    // oxlint-disable-next-line jsx-a11y/anchor-has-content -- its words are among the props
    <a
      href={path}
      onClick={(event) => {
        if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        router.history.push(path)
      }}
      {...props}
    />
  )
}
