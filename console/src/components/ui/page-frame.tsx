// What every page that is followed all day has in common: errors beside old data, no right.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Dated } from '@/api/client'
import { ApiError, sentence } from '@/api/errors'
import { common } from '@/lib/common'
import { timeOf } from '@/lib/format'
import { text } from '@/lib/texts'
import { Empty, LoadFailed } from './feedback'
import { Sheet } from './sheet'

const noRight = text('Õigus puudub', 'No permission')

type Found = Pick<UseQueryResult<Dated<unknown>>, 'isError' | 'error' | 'data'>

export function isForbidden(found: Pick<Found, 'error'>): boolean {
  return found.error instanceof ApiError && found.error.status === 403
}

/** A failed load above what was loaded before, with that data's time. */
export function Failed({ of, title, onRetry }: { of: Found; title: string; onRetry: () => void }) {
  if (!of.isError || isForbidden(of)) return null
  return (
    <div className="mb-3 flex-none">
      <LoadFailed title={sentence(of.error, title)} requestId={of.error instanceof ApiError ? of.error.requestId : null} onRetry={onRetry}>
        {of.data ? common.shownFrom(timeOf(of.data.at)) : null}
      </LoadFailed>
    </div>
  )
}

export function NoRight({ children, act }: { children: ReactNode; act?: ReactNode }) {
  return <Sheet><Empty icon="lock" title={noRight()} act={act}>{children}</Empty></Sheet>
}
