// Texts of the audit list; words for acts and objects.
import { num } from '@/lib/format'
import { plural, text } from '@/lib/texts'

const action: Record<string, () => string> = {
  create: text('Loomine', 'Creation'),
  order: text('Käivitamine', 'Launch'),
  launch: text('Toimikute lisamine ja käivitamine', 'Adding cases and launch'),
  finish: text('Lõppemine', 'End'),
  add_cases: text('Toimikute lisamine', 'Adding cases'),
  update: text('Muutmine', 'Change'),
  change: text('Pausi muutmine', 'Change of a pause'),
  delete: text('Kustutamine', 'Deletion'),
  retry: text('Kordamine', 'Retry'),
  cancel: text('Katkestamine', 'Cancellation'),
  acknowledge: text('Teadmiseks võtmine', 'Acknowledgement'),
  run_now: text('Kohene käivitamine', 'Run at once'),
  unmask: text('Isikuandmete vaatamine', 'Viewing personal data'),
  pause: text('Peatamine', 'Pause'),
  resume: text('Jätkamine', 'Resumption'),
  stop: text('Lõpetamine', 'Stop'),
  pace: text('Tempo muutmine', 'Change of pace'),
  child: text('Ebaõnnestunute kordamine', 'Retry of the failed'),
  note: text('Märkus', 'Note'),
  probe: text('Registri proovimine', 'Probe of a register'),
  mark_done: text('Tehtuks märkimine', 'Marking as done'),
  refused: text('Keeldumine', 'Refusal'),
  save_preferences: text('Seadete salvestamine', 'Saving preferences'),
  sign_in: text('Sisselogimine', 'Signing in'),
  sign_out: text('Väljalogimine', 'Signing out'),
  choose_role: text('Rolli valik', 'Choice of role'),
  sync: text('Sünkroonimine', 'Synchronisation'),
}
export const ACTIONS = Object.keys(action)

const objectClass: Record<string, () => string> = {
  Job: text('Töö', 'Job'),
  OperatorAction: text('Hulgitegevus', 'Operator action'),
  BulkAction: text('Masstegevus', 'Bulk action'),
  BulkActionTask: text('Alamtegevus', 'Task'),
  EnforcementCase: text('Toimik', 'Case'),
  Case: text('Toimik', 'Case'),
  Pause: text('Paus', 'Pause'),
  ErrorGroup: text('Vearühm', 'Error group'),
  Register: text('Register', 'Register'),
  Import: text('Import', 'Import'),
  User: text('Kasutaja', 'User'),
  Route: text('Aadress', 'Route'),
  SavedView: text('Salvestatud vaade', 'Saved view'),
  CaseSelection: text('Toimikute valim', 'Selection of cases'),
}
export const CLASSES = Object.keys(objectClass).filter((name) => name !== 'Case')

/** An act in words; one that is not known here is said as it is written. */
export function actionWord(name: string): string {
  return action[name]?.() ?? name
}

export function classWord(name: string): string {
  return objectClass[name]?.() ?? name
}

export const t = {
  title: text('Tegevuste logi', 'Audit log'),
  table: text('Logi kirjed', 'Entries of the log'),
  loadFailed: text('Logi laadimine ebaõnnestus.', 'The log could not be loaded.'),
  user: text('Kasutajanimi', 'User name'),
  role: text('Roll', 'Role'),
  bureau: text('Büroo', 'Bureau'),
  action: text('Tegevus', 'Action'),
  object: text('Objekt', 'Object'),
  objectId: text('Objekti nr', 'Object no.'),
  job: text('Töö', 'Job'),
  from: text('Alates', 'From'),
  until: text('Kuni', 'Until'),
  dates: text('Ajavahemik', 'Time'),
  anyRole: text('Kõik rollid', 'All roles'),
  anyAction: text('Kõik tegevused', 'All actions'),
  anyObject: text('Kõik objektid', 'All objects'),
  bad: text('Siia käib number.', 'A number goes here.'),
  backwards: text('Vahemiku algus on pärast lõppu.', 'The range begins after its end.'),
  resetDone: text('Filtrid on lähtestatud', 'The filters are reset'),
  columns: {
    at: text('Aeg', 'Time'),
    who: text('Kes', 'Who'),
    bureau: text('Büroo', 'Bureau'),
    action: text('Tegevus', 'Action'),
    object: text('Objekt', 'Object'),
    what: text('Selgitus', 'Explanation'),
    open: text('Muudatus', 'Change'),
  },
  machine: text('süsteem', 'system'),
  show: text('Näita muudatust', 'Show the change'),
  hide: text('Peida muudatus', 'Hide the change'),
  field: text('Väli', 'Field'),
  before: text('Enne', 'Before'),
  after: text('Pärast', 'After'),
  same: text('muutmata', 'unchanged'),
  noChange: text('Väljad ei muutunud.', 'No field changed.'),
  reason: text('Põhjus', 'Reason'),
  message: text('Sõnum', 'Message'),
  request: text('Päringu id', 'Request id'),
  copyRequest: text('Kopeeri päringu id', 'Copy the request id'),
  changes: text('Muudetud väljad', 'Changed fields'),
  csv: text('Ekspordi CSV', 'Export CSV'),
  csvFailed: text('Logi allalaadimine ebaõnnestus.', 'The log could not be downloaded.'),
  nothing: text('Kirjeid veel ei ole', 'No entries yet'),
  nothingHint: text('Siia tulevad inimeste ja masina tehtud muudatused.', 'Changes made by people and by the machine come here.'),
  noMatch: text('Kirjeid ei leitud', 'No entries found'),
  noMatchHint: text((n: number) => `Ükski kirje ei vasta ${num(n)} filtrile.`, (n) => `No entry matches ${num(n)} ${plural('en', n, 'filter', 'filters')}.`),
  reset: text('Lähtesta filtrid', 'Reset filters'),
  noRight: text('Õigus puudub', 'No right'),
  noRightHint: text('Logi sinu roll ei näe. Küsi õigust kojast.', 'Your role does not see the log. Ask the chamber.'),
  pastEnd: text('Vanemaid kirjeid ei ole', 'No older entries'),
  toNewest: text('Ava uusimad', 'Open the newest'),
  pastEndHint: text('Loend on vahepeal muutunud.', 'The list has changed meanwhile.'),
  keysOpen: text('ava', 'open'),
}
