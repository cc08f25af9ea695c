// A page that is followed all day: asks at the gap its person chose, and at once when he says so or has acted.
import { useState } from 'react'
import { useSession } from '@/api/session'
import type { PollEvery } from './use-poll'
import { usePoll } from './use-poll'

/** `ask` renews what the page shows; what fails is shown by the page's own queries. */
export function useFollow(every: PollEvery, ask: () => Promise<unknown>): { refresh: () => void } {
  const [acted, setActed] = useState(0)
  const session = useSession()
  usePoll({
    active: session !== null,
    every,
    ask: async () => {
      await ask()
      return 'unchanged'
    },
    resetKey: acted,
  })
  return {
    refresh: () => {
      setActed((n) => n + 1)
      ask().catch(() => undefined)
    },
  }
}
