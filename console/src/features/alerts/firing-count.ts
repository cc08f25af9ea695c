// What is firing: read by the page of alerts, counted by the menu beside every page.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { getDated } from '@/api/client'
import type { Collection } from '@/api/types'
import { useOversees } from '@/features/auth/queries'
import { useRareRefresh } from '@/lib/refresh-choice'
import { usePoll } from '@/lib/use-poll'
import type { Alert } from './queries'

/** With which every key of alerts begins. */
export const ALL = ['alerts']
/** Alerts are evaluated once a minute. */
const GAP_S = 15

export const firingQuery = queryOptions({
  queryKey: [...ALL, 'firing'],
  queryFn: ({ signal }) => getDated<Collection<Alert>>('/v2/alerts', { query: { firing: true, limit: 100 }, signal }),
  staleTime: 0,
})

/** How many alerts are open, for those who may see them; nobody else asks. 0 while it is not known. */
export function useFiringCount(): number {
  const oversees = useOversees()
  const client = useQueryClient()
  const every = useRareRefresh(GAP_S)
  const { data } = useQuery({ ...firingQuery, enabled: oversees, refetchOnWindowFocus: false })
  usePoll({
    active: oversees,
    every,
    ask: async () => {
      // Not after the page of alerts, which asks the same.
      await client.fetchQuery({ ...firingQuery, staleTime: (GAP_S - 1) * 1000, retry: false })
      return 'unchanged'
    },
  })
  return oversees && data ? (data.body.totalItems ?? data.body.member.length) : 0
}
