// Texts of one job's page.
import type { Attempt, LedgerCall } from '@/api/operations'
import type { Tone } from '@/components/ui/badge'
import type { IconName } from '@/components/ui/icons'
import { decimal, num } from '@/lib/format'
import { plural, text } from '@/lib/texts'
import type { WaitAfter } from './timeline'

const nb = '\u00a0'

/** "85 ms", "4,1 s", "1 min 11 s", "2 h 5 min". */
export function lasted(ms: number): string {
  if (ms < 100) return `${Math.round(ms)}${nb}ms`
  if (ms < 60_000) return `${decimal(ms / 1000)}${nb}s`
  const seconds = Math.round(ms / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}${nb}min ${seconds % 60}${nb}s`
  return `${Math.floor(minutes / 60)}${nb}h ${minutes % 60}${nb}min`
}

type Look = { word: () => string; tone: Tone; icon: IconName }
export const outcomeLook: Record<Attempt['outcome'], Look> = {
  ok: { word: text('Õnnestus', 'Succeeded'), tone: 'ok', icon: 'ok' },
  warning: { word: text('Hoiatusega', 'With a warning'), tone: 'warn', icon: 'warn' },
  failed: { word: text('Ebaõnnestus', 'Failed'), tone: 'err', icon: 'err' },
  retry: { word: text('Ajutine viga', 'Passing fault'), tone: 'warn', icon: 'retry' },
  released: { word: text('Anti järjekorda tagasi', 'Given back to the queue'), tone: 'queued', icon: 'queued' },
  cancelled: { word: text('Katkestati', 'Cancelled'), tone: 'queued', icon: 'cancel' },
  crashed: { word: text('Töötleja katkes', 'The worker broke off'), tone: 'err', icon: 'zap' },
}

export const callLook: Record<LedgerCall['state'], Look> = {
  intent: { word: text('Saatmisel', 'Being sent'), tone: 'run', icon: 'send' },
  done: { word: text('Vastatud', 'Answered'), tone: 'ok', icon: 'ok' },
  refused: { word: text('Keelduti', 'Refused'), tone: 'err', icon: 'err' },
  not_sent: { word: text('Ei läinud välja', 'Did not go out'), tone: 'queued', icon: 'cancel' },
  unknown: { word: text('Tulemus teadmata', 'Outcome unknown'), tone: 'warn', icon: 'warn' },
}

const operation: Record<string, () => string> = {
  'tarn.sync': text('toimiku andmed täitmisregistrile', 'data of the case to the national register'),
}

/** What was asked of the other side; what is not known here is said as it is written. */
export function operationWord(name: string): string {
  return operation[name]?.() ?? name
}

export const callClass: Record<LedgerCall['class'], () => string> = {
  read: text('päring, võib korrata', 'a question, may be repeated'),
  state: text('muudab seisu, korratakse sama id-ga', 'changes state, repeated under the same id'),
  once: text('ühekordne, masin ei korda', 'once only, never repeated by the machine'),
}

const act: Record<string, () => string> = {
  retry: text('Saadeti kordama', 'Sent to be retried'),
  cancel: text('Katkestati', 'Cancelled'),
  acknowledge: text('Võeti teadmiseks', 'Acknowledged'),
  run_now: text('Saadeti kohe tegemisele', 'Sent to run at once'),
  unmask: text('Vaadati isikuandmeid', 'Personal data viewed'),
}

/** What a person did to the job; an act that is not known here is said as it is written. */
export function actWord(name: string): string {
  return act[name]?.() ?? name
}

const wait: Record<WaitAfter, () => string> = {
  first: text('järjekorras', 'in the queue'),
  act: text('järjekorras', 'in the queue'),
  retry: text('kordus pärast ajutist viga', 'retry after a passing fault'),
  released: text('anti järjekorda tagasi', 'given back to the queue'),
  crashed: text('pärast töötleja katkemist', 'after the worker broke off'),
  other: text('järjekorras', 'in the queue'),
}

export const j = {
  crumbs: text('Asukoht', 'Place'),
  number: text((id: number) => `töö nr ${num(id)}`, (id) => `job no. ${num(id)}`),
  loadFailed: text('Töö laadimine ebaõnnestus.', 'The job could not be loaded.'),
  notFound: text('Tööd ei leitud', 'There is no such job'),
  notFoundHint: text('Seda ei ole, see kuulub teisele büroole või on säilitustähtaeg möödas.', 'It does not exist, belongs to another bureau, or its retention has passed.'),
  toList: text('Ava tööd', 'Open the jobs'),
  still: text('muutusi pole oodata', 'no changes to come'),
  retry: text('Korda uuesti', 'Retry'),
  cancel: text('Katkesta…', 'Cancel…'),
  runNow: text('Käivita kohe', 'Run now'),
  edit: text('Muuda sisendit ja korda…', 'Change the payload and retry…'),

  attempts: text('Katsed', 'Attempts'),
  attempt: text((n: number) => `${n}. katse`, (n) => `Attempt ${n}`),
  upTo: text((n: number, limit: number | null) => (limit === null ? `${num(n)}` : `${num(n)} / kuni ${num(limit)}`), (n, limit) => (limit === null ? `${num(n)}` : `${num(n)} / up to ${num(limit)}`)),
  oneScale: text('kestused samas mõõtkavas', 'durations on one scale'),
  total: text((time: string) => `aeg kokku ${time}`, (time) => `${time} in all`),
  whyEnded: text('Miks lõppes:', 'Why it ended:'),
  whyStands: text('Miks seisab:', 'Why it stands:'),
  result: text('Tulemus:', 'Result:'),
  limitReached: text('lubatud katsed said otsa', 'the permitted attempts are used up'),
  crashes: text((n: number) => `Töötleja on katkenud ${n} ${plural('et', n, 'korra', 'korda')}.`, (n) => `The worker broke off ${n} ${plural('en', n, 'time', 'times')}.`),
  runningNow: text('Käib praegu', 'Running now'),
  waiting: text('Ootab järjekorras', 'Waiting in the queue'),
  onItsWay: text('Teel töötlejale', 'On its way to a worker'),
  nextTry: text((at: string) => `järgmine katse ${at}`, (at) => `next try ${at}`),
  waited: text((time: string, why: WaitAfter) => `ootas ${time} (${wait[why]()})`, (time, why) => `waited ${time} (${wait[why]()})`),
  hidden: text((n: number) => `${num(n)} varasemat katset ei ole näidatud`, (n) => `${num(n)} earlier attempts are not shown`),
  created: text('Järjekorda pandud', 'Queued'),
  system: text('süsteem', 'system'),
  lines: text((n: number) => `${n} rida`, (n) => `${n} ${plural('en', n, 'line', 'lines')}`),
  hide: text('Peida', 'Hide'),
  copyError: text('Kopeeri viga', 'Copy the error'),
  worker: text('Töötleja', 'Worker'),

  stall: {
    paused: text((queue: string) => `järjekord ${queue} on peatatud`, (queue) => `the queue ${queue} is paused`),
    action_paused: text('masstegevus on peatatud', 'the bulk action is paused'),
    register_down: text((name: string) => `register ${name} ei vasta; katseid ei kulu`, (name) => `the register ${name} does not answer; no attempts are used`),
    no_workers: text('selle järjekorraga ei tööta keegi', 'nobody works on this queue'),
    retry: text('ootab kordust pärast ajutist viga', 'waits to be retried after a passing fault'),
    by: text((who: string) => `peatas ${who}`, (who) => `paused by ${who}`),
    since: text((at: string) => `alates ${at}`, (at) => `since ${at}`),
    until: text((at: string) => `kuni ${at}`, (at) => `until ${at}`),
  },

  calls: text('Väljaminevad päringud', 'Outward calls'),
  noCalls: text('Väljaminevaid päringuid ei ole.', 'There are no outward calls.'),
  callColumns: { at: text('Aeg', 'Time'), state: text('Seis', 'State'), what: text('Mis juhtus', 'What happened'), sent: text('Saadetud', 'Sent'), took: text('Vastus', 'Answer'), open: text('Sisu', 'Content') },
  messageId: text('sõnumi id', 'message id'),
  externalId: text('välise poole id', 'id at the other end'),
  copyMessage: text('Kopeeri sõnumi id', 'Copy the message id'),
  request: text('Päring', 'Request'),
  response: text('Vastus', 'Answer'),
  copyContent: text((what: string) => `Kopeeri: ${what.toLowerCase()}`, (what) => `Copy: ${what.toLowerCase()}`),
  showCall: text('Näita sisu', 'Show the content'),
  hideCall: text('Peida sisu', 'Hide the content'),

  data: text('Andmed', 'Data'),
  queue: text('Järjekord', 'Queue'),
  kind: text('Liik', 'Kind'),
  bureau: text('Büroo', 'Bureau'),
  runs: text('Katseid', 'Tries'),
  failures: text('Vigu', 'Failures'),
  createdAt: text('Loodud', 'Created'),
  startedAt: text('Alustatud', 'Started'),
  finishedAt: text('Lõpetatud', 'Finished'),
  errorCode: text('Veakood', 'Error code'),
  requestId: text('Päringu id', 'Request id'),
  copyRequest: text('Kopeeri päringu id', 'Copy the request id'),
  traceId: text('Jälje id', 'Trace id'),
  copyTrace: text('Kopeeri jälje id', 'Copy the trace id'),
  startedBy: text('Käivitaja', 'Started by'),
  retriedBy: text('Kordas', 'Retried by'),

  payload: text('Sisend', 'Payload'),
  noPayload: text('Sisendit ei ole.', 'There is no payload.'),
  copyPayload: text('Kopeeri sisend', 'Copy the payload'),
  unmask: text('Näita isikuandmeid', 'Show personal data'),
  mask: text('Peida isikuandmed', 'Hide personal data'),
  unmaskFailed: text('Isikuandmete näitamine ebaõnnestus.', 'Personal data could not be shown.'),
  audited: text('Isikuandmete näitamine jääb tegevuste logisse.', 'Showing personal data is kept in the audit log.'),

  related: text('Seotud', 'Related'),
  case: text('Toimik', 'Case'),
  bulkAction: text('Masstegevus', 'Bulk action'),
  sameError: text('Sama veaga', 'Same error'),
  jobsWord: text((n: string, one: number) => `${n} ${plural('et', one, 'töö', 'tööd')}`, (n, one) => `${n} ${plural('en', one, 'job', 'jobs')}`),
  log: text('Tegevuste logi', 'Audit log'),
  aboutJob: text('selle töö kirjed', 'entries of this job'),
  withPayload: text('muudetud sisendiga', 'with a changed payload'),

  editTitle: text('Muuda sisendit ja korda', 'Change the payload and retry'),
  editText: text('Töö läheb uuesti järjekorda muudetud sisendiga. Vana ja uus sisend jäävad tegevuste logisse.', 'The job is queued again with the changed payload. Old and new payload stay in the audit log.'),
  editMasked: text('Muutmiseks peab nägema kogu sisendit koos isikuandmetega. Nende näitamine jääb tegevuste logisse.', 'To change the payload you must see all of it, personal data too. Showing them is kept in the audit log.'),
  editDo: text('Korda muudetud sisendiga', 'Retry with the changed payload'),
  editJson: text('Sisend, JSON', 'Payload, JSON'),
  badJson: text('See ei ole JSON-i objekt.', 'This is not a JSON object.'),
  required: text('Väli on kohustuslik.', 'The field is required.'),
  badInteger: text('Siia käib täisarv.', 'A whole number goes here.'),
  unchanged: text('Sisendit ei ole muudetud.', 'The payload is not changed.'),
}
