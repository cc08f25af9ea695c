// What the failed tasks of an action said, each thing once with its number; a group opens its tasks.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { raw } from '@/api/client'
import { ApiError, sentence } from '@/api/errors'
import type { BulkAction } from '@/api/types'
import { Bone, Empty, LoadFailed, useLate } from '@/components/ui/feedback'
import { parseCsv } from '@/lib/csv'
import { num } from '@/lib/format'
import { groupErrors } from './error-groups'
import { keys } from './queries'
import { t } from './texts'

/** What the failed tasks said, all of them. */
function failedOutputsQuery(id: number, failed: number) {
  return queryOptions({
    queryKey: [...keys.all, id, 'failed-outputs', failed],
    queryFn: async ({ signal }) => {
      const answer = await raw('GET', '/v2/bulk_action_tasks', { query: { bulkAction: id, status: 3 }, headers: { Accept: 'text/csv' }, signal })
      return parseCsv(await answer.text()).slice(1).map((row) => row[2] ?? '')
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

export function ErrorGroupList({ action }: { action: BulkAction }) {
  const found = useQuery({ ...failedOutputsQuery(action.id, action.counts.failed), enabled: action.counts.failed > 0 })
  const groups = useMemo(() => groupErrors(found.data ?? [], t.emptyFailure()), [found.data])
  const late = useLate(found.isLoading)
  if (action.counts.failed === 0) return <Empty icon="ok" title={t.noFailed()}>{t.noFailedHint()}</Empty>
  if (found.isError) {
    return <div className="p-3"><LoadFailed title={sentence(found.error, t.groupsFailed())} requestId={found.error instanceof ApiError ? found.error.requestId : null} onRetry={() => void found.refetch()} /></div>
  }
  if (late) return <div className="grid gap-5 p-5">{['w-1/2', 'w-2/3', 'w-1/3'].map((width) => <Bone key={width} className={width} />)}</div>
  return (
    <ul aria-label={t.groupList()}>
      {groups.map((group) => (
        <li key={group.text} className="border-b">
          <Link
            to="/bulk_actions/$id"
            params={{ id: String(action.id) }}
            search={{ tab: 'failed', ...(group.search.length > 1 ? { q: group.search } : {}) }}
            className="grid min-h-10 grid-cols-[64px_minmax(0,1fr)] items-center gap-3 px-3 py-1.5 -outline-offset-2 hover:bg-accent"
          >
            <b className="num text-right font-semibold text-err">{num(group.count)}</b>
            <span className="wrap-anywhere">{group.text}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
