// How mails are named and how their state is said.
import type { RoleName } from '@/api/types'
import { Badge } from '@/components/ui/badge'
import { type Look, stateLook } from '@/features/jobs/status'
import { text } from '@/lib/texts'
import type { Mail, MailState } from './queries'

const kind: Record<string, { word: () => string; when: () => string; /** When for those who are told of their own bureau alone. */ own?: () => string }> = {
  bulk_action: { word: text('Masstegevuse lõpp', 'End of a bulk action'), when: text('kui sinu käivitatud masstegevus lõpeb', 'when a bulk action that you launched ends') },
  import: { word: text('Impordi lõpp', 'End of an import'), when: text('kui sinu alustatud import lõpeb', 'when an import that you started ends') },
  operator_action: { word: text('Hulgitegevuse lõpp', 'End of an operator action'), when: text('kui sinu käivitatud hulgitegevus lõpeb', 'when an operator action that you launched ends') },
  alert_fired: { word: text('Häire algus', 'An alert begins'), when: text('kui mõne reegli häire algab', 'when the alert of a rule begins'), own: text('kui algab häire sinu büroo kohta', 'when an alert about your bureau begins') },
  alert_recovered: { word: text('Häire lõpp', 'An alert is over'), when: text('kui häire lõpeb', 'when an alert is over'), own: text('kui häire sinu büroo kohta lõpeb', 'when an alert about your bureau is over') },
  daily_digest: { word: text('Päevakokkuvõte', 'Daily digest'), when: text('kord päevas: mis eile lõppes ja mis ebaõnnestus', 'once a day: what ended yesterday and what failed') },
}

/** A kind of mail in words; one that is not known here is said as it is written. */
export function mailKindWord(name: string): string {
  return kind[name]?.word() ?? name
}

/** When a person in these roles gets one. */
export function mailKindWhen(name: string, roles: ReadonlyArray<{ role: RoleName }>): string | undefined {
  const one = kind[name]
  return (roles.every(({ role }) => role === 'KT') && one?.own ? one.own : one?.when)?.()
}

const look: Record<MailState, Look> = {
  waiting: { word: text('Ootab saatmist', 'Waiting'), tone: 'queued', icon: 'queued' },
  sent: { word: text('Saadetud', 'Sent'), tone: 'ok', icon: 'ok' },
  failed: { word: text('Saatmata', 'Not sent'), tone: 'err', icon: 'err' },
  cancelled: stateLook.cancelled,
}

export function MailBadge({ mail, box }: { mail: Pick<Mail, 'state'>; box?: boolean }) {
  const one = look[mail.state]
  return <Badge tone={one.tone} icon={one.icon} {...(box ? { box } : {})}>{one.word()}</Badge>
}
