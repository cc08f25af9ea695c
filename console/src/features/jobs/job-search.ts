// What the address says about the list of jobs: a filter and a page; pure, and small since it stands in the first chunk.
import * as z from 'zod/mini'
import type { QueueName } from '@/api/operations'
import type { TaskState } from '@/api/types'
import { loose, wordField as word } from '@/lib/search'

export const STATES = ['queued', 'dispatched', 'running', 'ok', 'warning', 'failed', 'cancelled'] as const satisfies readonly TaskState[]
export const QUEUES = ['interactive', 'bulk', 'register', 'arrest', 'import', 'mail', 'cron'] as const satisfies readonly QueueName[]

/** A day, a minute of a day, an instant. */
export const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/

/** Whether this is a day, a minute by Tallinn's clock, or an instant. */
export function isMoment(value: string): boolean {
  const found = MOMENT.exec(value)
  if (!found?.[1]) return false
  const day = new Date(`${found[1]}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(found[1]) && (!found[2] || !Number.isNaN(Date.parse(`${found[1]}T${found[2]}Z`)))
}

const id = loose(z.int().check(z.minimum(1)))
const moment = loose(z.string().check(z.refine(isMoment)))
const range = loose(z.object({ after: moment, before: moment }))

export const searchSchema = z.object({
  search: word,
  state: loose(z.array(z.enum(STATES)).check(z.minLength(1))),
  queue: loose(z.array(z.enum(QUEUES)).check(z.minLength(1))),
  kind: loose(z.array(z.string().check(z.regex(/^[A-Za-z]\w{0,63}$/))).check(z.minLength(1), z.maxLength(50))),
  bureau: word, bailiff: word, caseNumber: word, debtor: word,
  bulkAction: id, operatorAction: id,
  errorGroup: word, error: word, payload: word,
  createdAt: range, startedAt: range, finishedAt: range,
  /** Where the page of rows begins. */
  after: word,
})
export type JobSearch = z.infer<typeof searchSchema>
