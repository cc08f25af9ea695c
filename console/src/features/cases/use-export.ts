// The state of one running export.
import { useEffect, useRef, useState } from 'react'
import { ApiError, report } from '@/api/errors'
import { toasts } from '@/lib/toasts'
import { exportCases } from './export'
import type { CasePage } from './queries'
import { t } from './texts'

export function useExport(): { percent: number | null; start: (page: Omit<CasePage, 'page'>) => void; stop: () => void } {
  const [percent, setPercent] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function run(page: Omit<CasePage, 'page'>) {
    const control = new AbortController()
    running.current = control
    setPercent(0)
    try {
      await exportCases(page, setPercent, control.signal)
      toasts.success(t.exported())
    } catch (error) {
      if (!control.signal.aborted) report(error instanceof ApiError ? error : null, t.exportFailed())
    } finally {
      setPercent(null)
    }
  }

  return { percent, start: (page) => void run(page), stop: () => running.current?.abort() }
}
