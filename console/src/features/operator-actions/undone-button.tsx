// The jobs that were not done, as a file.
import { useEffect, useRef, useState } from 'react'
import { ApiError, report } from '@/api/errors'
import type { OperatorAction } from '@/api/operations'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { saveUndone } from './queries'
import { t } from './texts'

export function UndoneButton({ action }: { action: OperatorAction }) {
  const [percent, setPercent] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const undone = action.counts.failed + action.counts.skipped
  async function download() {
    const control = new AbortController()
    running.current = control
    setPercent(0)
    try {
      await saveUndone(action, undone, setPercent, control.signal)
    } catch (error) {
      if (!control.signal.aborted) report(error instanceof ApiError ? error : null, t.csvFailed())
    } finally {
      setPercent(null)
    }
  }
  return (
    <Button className="max-sm:h-10" reason={undone === 0 ? t.csvNone() : null} disabled={percent !== null} onClick={() => void download()}>
      <Icon name={percent === null ? 'download' : 'run'} />
      {percent === null ? t.csv(undone) : t.csvPercent(percent)}
    </Button>
  )
}
