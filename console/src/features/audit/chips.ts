// The filters of the audit list in words.
import { roleWord } from '@/features/auth/status'
import { day, num } from '@/lib/format'
import type { AuditFilter } from './filters'
import { actionWord, classWord, t } from './texts'

export function chipsOf(filter: AuditFilter): Array<{ key: keyof AuditFilter; name: string; value: string }> {
  const all: Array<[keyof AuditFilter, string, string | undefined]> = [
    ['user', t.user(), filter.user],
    ['role', t.role(), filter.role && roleWord[filter.role]()],
    ['bureau', t.bureau(), filter.bureau],
    ['action', t.action(), filter.action && actionWord(filter.action)],
    ['objectClass', t.object(), filter.objectClass && classWord(filter.objectClass)],
    ['objectId', t.objectId(), filter.objectId === undefined ? undefined : num(filter.objectId)],
    ['jobId', t.job(), filter.jobId === undefined ? undefined : num(filter.jobId)],
    ['from', t.from(), filter.from && day(filter.from)],
    ['until', t.until(), filter.until && day(filter.until)],
  ]
  return all.flatMap(([key, name, value]) => (value === undefined ? [] : [{ key, name, value }]))
}
