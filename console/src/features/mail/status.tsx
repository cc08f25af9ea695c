// How mails are named and how their state is said.
import { Badge } from '@/components/ui/badge'
import { type Look, stateLook } from '@/features/jobs/status'
import { text } from '@/lib/texts'
import type { Mail, MailState } from './queries'

const kind: Record<string, { word: () => string; when: () => string }> = {
  bulk_action: { word: text('Masstegevuse lõpp', 'End of a bulk action'), when: text('kui sinu käivitatud masstegevus lõpeb', 'when a bulk action that you launched ends') },
  import: { word: text('Impordi lõpp', 'End of an import'), when: text('kui sinu alustatud import lõpeb', 'when an import that you started ends') },
  operator_action: { word: text('Hulgitegevuse lõpp', 'End of an operator action'), when: text('kui sinu käivitatud hulgitegevus lõpeb', 'when an operator action that you launched ends') },
  alert_fired: { word: text('Häire algus', 'An alert begins'), when: text('kui mõne reegli häire algab', 'when the alert of a rule begins') },
  alert_recovered: { word: text('Häire lõpp', 'An alert is over'), when: text('kui häire lõpeb', 'when an alert is over') },
  daily_digest: { word: text('Päevakokkuvõte', 'Daily digest'), when: text('kord päevas, mis on tehtud ja mis ootab', 'once a day, what is done and what waits') },
}

/** A kind of mail in words; one that is not known here is said as it is written. */
export function mailKindWord(name: string): string {
  return kind[name]?.word() ?? name
}

export function mailKindWhen(name: string): string | undefined {
  return kind[name]?.when()
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
