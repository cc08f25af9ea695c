// How a job is said: its state, queue and kind.
import type { Job, QueueName } from '@/api/operations'
import { Badge, type Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icons'
import { text } from '@/lib/texts'

export type Look = { word: () => string; tone: Tone; icon: IconName }

export const stateLook = {
  queued: { word: text('Järjekorras', 'Queued'), tone: 'queued', icon: 'queued' },
  dispatched: { word: text('Teel töötlejale', 'On its way'), tone: 'queued', icon: 'queued' },
  running: { word: text('Töös', 'Running'), tone: 'run', icon: 'run' },
  ok: { word: text('Õnnestunud', 'Succeeded'), tone: 'ok', icon: 'ok' },
  warning: { word: text('Hoiatusega', 'With a warning'), tone: 'warn', icon: 'warn' },
  failed: { word: text('Ebaõnnestunud', 'Failed'), tone: 'err', icon: 'err' },
  cancelled: { word: text('Katkestatud', 'Cancelled'), tone: 'queued', icon: 'cancel' },
} satisfies Record<Job['state'], Look>
const retrying: Look = { word: text('Ootab kordust', 'Waiting to retry'), tone: 'queued', icon: 'retry' }

export function jobLook(job: Pick<Job, 'state' | 'retrying'>): Look {
  return job.retrying && job.state === 'queued' ? retrying : stateLook[job.state]
}

export function JobBadge({ job, box }: { job: Pick<Job, 'state' | 'retrying'>; box?: boolean }) {
  const look = jobLook(job)
  return <Badge tone={look.tone} icon={look.icon} {...(box ? { box } : {})}>{look.word()}</Badge>
}

/** A job that has ended badly is not cancelled but acknowledged. */
export function acknowledges(job: Pick<Job, 'state'>): boolean {
  return job.state === 'failed' || job.state === 'warning'
}

export function jobTone(job: Pick<Job, 'state' | 'retrying'>): 'err' | 'warn' | undefined {
  return job.state === 'failed' ? 'err' : job.state === 'warning' ? 'warn' : undefined
}

/** The queues by their names. */
export const queueWord: Record<QueueName, () => string> = {
  interactive: text('Inimene ootab', 'Interactive'),
  bulk: text('Masstegevused', 'Bulk actions'),
  register: text('Registrid', 'Registers'),
  arrest: text('Arestid', 'Arrests'),
  import: text('Import', 'Import'),
  mail: text('E-kirjad', 'E-mail'),
  cron: text('Ajastatud', 'Scheduled'),
}

const kind: Record<string, () => string> = {
  SyncToRegister: text('Sünkrooni registriga', 'Synchronise with the register'),
  SetStartFee: text('Sea alustamise tasu', 'Set the start fee'),
  ComputeIssuerFee: text('Arvuta uus põhitasu', 'Compute a new issuer fee'),
  ImportCases: text('Impordi toimikud', 'Import cases'),
  ReconcileCaseList: text('Kontrolli toimikute loendit', 'Check the list of cases'),
  ExpireSessions: text('Korista lõppenud seansid', 'Clear ended sessions'),
  ArchiveTasks: text('Vii vanad tööd arhiivi', 'Move old jobs to the archive'),
  EvaluateAlerts: text('Hinda häireid', 'Evaluate alerts'),
  SendMail: text('Saada e-kiri', 'Send an e-mail'),
  SendDailyDigests: text('Saada päevakokkuvõtted', 'Send daily digests'),
  SendWebhook: text('Teavita veebihaagiga', 'Call a webhook'),
  TouchCase: text('Puuduta toimikut', 'Touch a case'),
  Probe: text('Proovitöö', 'Probe'),
}

/** A kind of job in words; one that is not known here is said as it is written. */
export function kindWord(name: string): string {
  return kind[name]?.() ?? name
}

/** The known kinds with their words. */
export function kindWords(): Array<[string, string]> {
  return Object.entries(kind).map(([name, word]) => [name, word()])
}
