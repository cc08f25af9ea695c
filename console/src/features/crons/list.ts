// The crons as they stand: read by their page, by the page of queues and by the menu, which need none of their words.
import { queryOptions } from '@tanstack/react-query'
import { getDated } from '@/api/client'
import type { components } from '@/api/schema'

type Schemas = components['schemas']
export type Cron = Schemas['CronAnswer']

export const ALL = ['crons']

export const cronsQuery = queryOptions({
  queryKey: [...ALL, 'list'],
  queryFn: ({ signal }) => getDated<Schemas['Items_CronAnswer']>('/cron', { signal }),
  staleTime: 0,
})
