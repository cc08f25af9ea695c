// One page of jobs and the counts beside it, refreshed without disturbing who reads them.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '@/api/session'
import type { JobFilter } from '@/api/operations'
import { useHeldRows } from '@/components/data-table/use-held-rows'
import type { PollEvery } from '@/lib/use-poll'
import { usePoll } from '@/lib/use-poll'
import { countsQuery, jobsQuery } from './queries'

export function useJobs(filter: JobFilter, after: string | undefined, every: PollEvery) {
  const client = useQueryClient()
  const session = useSession()
  const [acted, setActed] = useState(0)
  const query = useQuery({ ...jobsQuery({ filter, after }), placeholderData: keepPreviousData, refetchOnWindowFocus: false })
  const counts = useQuery({ ...countsQuery(filter), placeholderData: keepPreviousData, refetchOnWindowFocus: false })
  const held = useHeldRows(JSON.stringify([filter, after]), query, acted)
  const touch = () => setActed(Date.now())
  const ask = async () => {
    const again = { staleTime: 0, retry: false }
    await Promise.all([client.fetchQuery({ ...jobsQuery({ filter, after }), ...again }), client.fetchQuery({ ...countsQuery(filter), ...again })])
  }
  usePoll({
    active: session !== null,
    every,
    ask: async () => {
      await ask()
      return 'unchanged'
    },
    resetKey: acted,
  })
  return { query, counts, ...held, touch, refresh: () => { touch(); ask().catch(() => undefined) } }
}
