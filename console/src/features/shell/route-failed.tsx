// What is shown when a page cannot be opened at all: a lost piece of the program, or an error nobody expected.
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError, sentence } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { LoadFailed } from '@/components/ui/feedback'
import { chunkError } from '@/lib/chunk-error'
import { common } from '@/lib/common'
import { t } from './texts'

export function RouteFailed({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  const chunk = chunkError(error)
  // The window hears of it as of any other error, and with it the server.
  useEffect(() => {
    if (!(error instanceof ApiError)) window.reportError(error)
  }, [error])
  return (
    <div className="p-4">
      {chunk ? (
        <div role="alert" className="grid justify-items-start gap-2 rounded-lg border border-border-strong bg-card p-4">
          <h1 tabIndex={-1}>{common.chunkFailed()}</h1>
          <p>{t.chunkText()}</p>
          <p className="font-mono text-xs text-muted-foreground">{chunk}</p>
          <Button variant="primary" onClick={() => location.reload()}>{t.reload()}</Button>
        </div>
      ) : (
        <LoadFailed
          title={sentence(error, t.failedTitle())}
          requestId={error instanceof ApiError ? error.requestId : null}
          onRetry={() => {
            reset()
            void router.invalidate()
          }}
        />
      )}
    </div>
  )
}
