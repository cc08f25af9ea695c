// What the address says about the audit list; pure.
import * as z from 'zod/mini'
import { loose, wordField as word } from '@/lib/search'

const id = loose(z.int().check(z.minimum(1)))
const day = loose(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)))

export const auditSchema = z.object({
  user: word,
  role: loose(z.enum(['KT', 'koda', 'dev'])),
  bureau: word,
  action: word,
  objectClass: word,
  objectId: id,
  jobId: id,
  from: day,
  until: day,
  after: word,
  /** The entry that is open. */
  entry: id,
})
export type AuditSearch = z.infer<typeof auditSchema>
export type AuditFilter = Omit<AuditSearch, 'after' | 'entry'>

