// How the status of a case is said: icon, word, tone.
import type { CaseStatus } from '@/api/types'
import { Badge, type Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icons'
import { statusWord } from './texts'

const look: Record<CaseStatus, [Tone, IconName]> = {
  open: ['plain', 'dot'],
  closed: ['ok', 'ok'],
  archived: ['queued', 'archive'],
  stopped: ['warn', 'pause'],
  tarn: ['queued', 'inbox'],
  rejected: ['err', 'err'],
  partially_closed: ['queued', 'half'],
  being_reopened: ['run', 'run'],
  being_closed: ['run', 'run'],
  being_partially_closed: ['run', 'run'],
  being_stopped: ['run', 'run'],
  being_unstopped: ['run', 'run'],
}

export function CaseStatusBadge({ status }: { status: CaseStatus }) {
  const [tone, icon] = look[status] ?? ['plain', 'dot']
  return <Badge tone={tone} icon={icon}>{statusWord[status]?.() ?? status}</Badge>
}
