// Why a running action stands still: it was paused, by whom and since when, and going on.
import type { BulkAction } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Banner } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import { refusal } from '@/lib/allowed'
import { dateTime, whenShort } from '@/lib/format'
import { useResumeAction } from './acts'
import { t } from './texts'

export function PausedBanner({ action, onAct }: { action: BulkAction; onAct: () => void }) {
  const resume = useResumeAction(action.id)
  if (action.status !== 1 || !action.pausedAt) return null
  return (
    <div className="mb-3 flex-none">
      <Banner
        tone="warn"
        icon="pause"
        title={t.pausedTitle()}
        meta={
          <>
            {action.pausedBy ? <span>{t.pausedBy()} <b className="font-medium text-foreground">{action.pausedBy.name}</b></span> : null}
            <time dateTime={action.pausedAt} title={dateTime(action.pausedAt)}>{t.since(whenShort(action.pausedAt))}</time>
          </>
        }
        act={
          <Button
            id="resume"
            reason={refusal(action, 'resume')}
            disabled={resume.isPending}
            onClick={() => {
              onAct()
              resume.mutate(undefined)
            }}
          >
            <Icon name="play" />
            {t.resume()}
          </Button>
        }
      />
    </div>
  )
}
