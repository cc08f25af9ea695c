// The wire of the operations pages.
import type { AllowedAction, RoleName, TaskState, WorkStatus, BulkTypeCode } from './types'

/** exact; about (from the rollup); at_least (counting stopped at the bound: "10 000+"). */
export type Count = { value: number; kind: 'exact' | 'about' | 'at_least' }
export type QueueName = 'interactive' | 'bulk' | 'register' | 'arrest' | 'import' | 'mail' | 'cron'
export type Bureau = { id: number; code: string; name: string }
export type Who = { id: number; name: string; role: RoleName | null; tenantCode: string | null }

/** A pause in force (or ended: endedAt). Exactly one of queue, kind, bureau is set. */
export type Pause = {
  id: number; queue: QueueName | null; kind: string | null; bureau: Bureau | null
  reason: string; createdBy: Who | null; createdAt: string; until: string | null; endedAt: string | null
  allowedActions: AllowedAction[] // resume, edit
}

/** Worst first: no_workers, register_down, stuck, paused, working, ok. */
export type QueueState = 'no_workers' | 'register_down' | 'stuck' | 'paused' | 'working' | 'ok'
export type QueueAnswer = {
  name: QueueName
  state: QueueState
  waiting: Count            // queued (due or waiting for a retry) and on the way to a worker
  retrying: Count           // of these: waiting for another try
  running: number
  failed24h: Count
  oldestDueAt: string | null // the job that has been due longest
  donePerMinute: number      // mean of the last five full minutes, ratio
  failedPerMinute: number
  drainSeconds: number | null // at the present rate; null: it does not drain
  meanWaitMs: number | null   // last five minutes
  meanRunMs: number | null
  minutes: { from: string; done: number[]; failed: number[] } // 60 full minutes, oldest first
  concurrency: number        // jobs at once by the workers that live
  workers: { alive: number; doubtful: number; lost: number }
  lastLostSeenAt: string | null
  bulkActions: number        // running ones with tasks here
  bureaus: number            // with waiting jobs here
  register: string | null    // the register that is down, where state is register_down
  pause: Pause | null        // of the whole queue
  allowedActions: AllowedAction[] // pause
}
export type QueueDetail = QueueAnswer & {
  kinds: Array<{ kind: string; waiting: Count; running: number; failed24h: Count }>
  waitingBureaus: Array<{ bureau: Bureau; waiting: Count }> // most first, at most 20
}
/** closed = answers. open = no calls but one probe each 15 s. recovering = answers, rate still rising. */
export type RegisterState = 'closed' | 'open' | 'recovering'
export type RegisterAnswer = {
  name: string // 'tarn'
  state: RegisterState
  openedAt: string | null
  nextProbeAt: string | null
  probes: number
  lastError: string | null
  lastErrorAt: string | null
  lastOkAt: string | null
  ratePerSecond: number      // the setting
  allowedPerSecond: number   // now
  meanMs: number | null      // last five minutes
  calls: number              // last five minutes
  failures: number
  waiting: Count
  waitingBureaus: number
  allowedActions: AllowedAction[] // probe
}
export type WorkerState = 'alive' | 'doubtful' | 'lost' | 'stopped'
export type WorkerAnswer = {
  id: number; name: string; host: string; pid: number; state: WorkerState
  concurrency: Partial<Record<QueueName, number>>; running: number
  startedAt: string; seenAt: string; stoppedAt: string | null
}
export type ErrorGroup = {
  key: string; queue: QueueName; kind: string; code: string; text: string
  count: Count; firstSeenAt: string; lastSeenAt: string
  bureaus: string[] // codes, at most 10
  trend: number[]   // 24 hours, oldest first
  note: { text: string; by: string; at: string } | null
  allowedActions: AllowedAction[] // retry, note
}
/** GET /v2/operations. The header Age says how old the counts are, in seconds. */
export type Overview = {
  queues: QueueAnswer[]      // worst first, then by number waiting
  registers: RegisterAnswer[]
  workers: { alive: number; doubtful: number; lost: number; doubtfulAfterSeconds: number; lostAfterSeconds: number; member: WorkerAnswer[] } // for KT member is empty
  pauses: Pause[]            // in force
  errors: { total: Count; member: ErrorGroup[] } // of 24 h, six at most
}
/** GET /v2/queues/{name}/series?from&to&kind */
export type Series = {
  queue: QueueName; from: string; to: string; stepSeconds: number
  points: Array<{ at: string; ok: number; warning: number; failed: number; cancelled: number; waiting: number | null
    waitP50Ms: number | null; waitP95Ms: number | null; runP50Ms: number | null; runP95Ms: number | null }>
}

export type Range = { after?: string; before?: string }
/** GET /v2/jobs takes these as query parameters: search, state[], queue[], kind[], bureau, caseNumber, debtor, bailiff, bulkAction, operatorAction, errorGroup, error, payload, createdAt[after] …; POST bodies take the object. */
export type JobFilter = {
  search?: string            // job id, case number, request id, or words: debtor or claimant
  state?: TaskState[]; queue?: QueueName[]; kind?: string[]
  bureau?: string            // code
  bailiff?: string           // a part of the bureau's bailiff's name
  caseNumber?: string; debtor?: string; bulkAction?: number; operatorAction?: number
  errorGroup?: string; error?: string; payload?: string
  createdAt?: Range; startedAt?: Range; finishedAt?: Range
}
export type Job = {
  id: number; queue: QueueName; kind: string; state: TaskState; status: WorkStatus; retrying: boolean
  bureau: Bureau; caseId: string | null; caseNumber: string | null; debtorName: string | null
  bulkAction: { id: number; type: BulkTypeCode } | null
  createdAt: string; runAt: string; startedAt: string | null; finishedAt: string | null
  runs: number; failures: number; output: string | null; errorCode: string | null; errorGroup: string | null
  createdBy: Who | null
  allowedActions: AllowedAction[] // retry, cancel, runNow, edit, unmask
}
/** Newest first; `next` goes into `after`. */
export type JobPage = { member: Job[]; next: string | null }
/** GET /v2/jobs/counts, same filter; its state[] is not applied. */
export type JobCounts = { all: Count } & Record<TaskState, Count>
export type Attempt = {
  run: number; outcome: 'ok' | 'warning' | 'failed' | 'retry' | 'released' | 'cancelled' | 'crashed'
  startedAt: string; finishedAt: string; worker: string | null; errorCode: string | null; error: string | null
}
export type LedgerCall = {
  id: number; operation: string; class: 'read' | 'state' | 'once'; state: 'intent' | 'done' | 'refused' | 'not_sent' | 'unknown'
  messageId: string; externalId: string | null; sentCount: number; request: string | null; response: string | null
  errorCode: string | null; createdAt: string; settledAt: string | null
}
export type WholeJob = Job & {
  attempts: Attempt[] // newest first, at most 100
  attemptsTotal: number
  failureLimit: number | null
  crashes: number
  /** Why it stands, while it waits: paused, action_paused, register_down, no_workers, retry; null otherwise. */
  stall: Stall | null
  events: Array<{ at: string; action: string; who: string | null; role: RoleName | null; reason: string | null; after: unknown }>
  payload: unknown; payloadMasked: boolean; payloadFields: Array<{ name: string; type: 'integer' | 'string' | 'boolean'; required: boolean }> | null
  calls: LedgerCall[]
  sameError: Count | null
  worker: string | null; requestId: string | null; traceId: string | null; traceUrl: string | null; retriedBy: Who | null
}
export type Stall = { code: 'paused' | 'action_paused' | 'register_down' | 'no_workers' | 'retry'; queue: QueueName | null; register: string | null; reason: string | null; by: string | null; since: string | null; until: string | null }

export type OperatorKind = 'retry' | 'cancel'
/** Items: waiting (not reached), sent (queued again, its end not known yet), done, failed, skipped. */
export type ItemState = 'waiting' | 'sent' | 'done' | 'failed' | 'skipped'
export type Skipped = { reason: string; text: string; count: number }
export type OperatorPreview = { count: Count; sample: Job[]; skipped: Skipped[]; skippedCount: Count; typed: boolean } // typed: the number must be typed
/** How an action moves, the same for whoever asks; bars of five seconds up to the last job that ended. */
export type Movement = {
  perMinute?: number | null; leftSeconds?: { least: number; most: number } | null; lastAt?: string | null
  movesSince: string; bars: Array<{ done: number; failed: number }>
}
export type OperatorAction = {
  id: number; kind: OperatorKind; status: WorkStatus; filter: JobFilter; reason: string | null; bureau: Bureau
  total: number; counts: Record<ItemState, number>; skipped: Skipped[]
  perSecond: number | null
  createdBy: Who; createdAt: string; startedAt: string | null; finishedAt: string | null
  pausedAt: string | null; pausedBy: Who | null; stoppedAt: string | null; stoppedBy: Who | null
  parent: number | null; children: number[]
  /** Why what it sent does not move; on its own page only. */
  stall?: Stall | null
  /** Its pace and end while it is under way; on its own page only. */
  movement?: Movement | null
  allowedActions: AllowedAction[] // pause, resume, stop, pace, child
  version: number
}
export type OperatorItem = { jobId: number; state: ItemState; reason: string | null; text: string | null; queue: QueueName | null; kind: string | null; bureauCode: string | null; caseNumber: string | null; settledAt: string | null }

export type AuditEntry = {
  id: number; at: string; userId: number | null; username: string | null; name: string | null; role: RoleName | null; bureau: Bureau
  action: string; objectClass: string; objectId: number | null; caseNumber: string | null
  before: unknown; after: unknown; message: string | null; reason: string | null; requestId: string | null; jobId: number | null
}
export type AuditPage = { member: AuditEntry[]; next: string | null }
export type SavedView = { id: number; page: string; name: string; query: string; shared: boolean; mine: boolean; createdBy: Who; version: number; allowedActions: AllowedAction[] } // edit, delete
export type ErrorLogEntry = { id: number; created_at: string; message: string; stack: string | null; path: string | null; user_agent: string | null; username: string | null; tenant_code: string | null; count: number; last_at: string }
export type CaseSelection = { id: number; count: number; createdAt: string }
