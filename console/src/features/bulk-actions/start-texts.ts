// Texts of the launch dialog.
import { num } from '@/lib/format'
import { plural, text } from '@/lib/texts'

export const s = {
  steps: text('Sammud', 'Steps'),
  selection: text('Valik', 'Selection'),
  fee: text('Tasu', 'Fee'),
  preview: text('Eelvaade ja kinnitus', 'Preview and confirmation'),
  back: text('Tagasi', 'Back'),
  next: text('Edasi', 'Next'),
  cases: text((n: number) => plural('et', n, 'toimik', 'toimikut'), (n) => plural('en', n, 'case', 'cases')),
  where: text('kus', 'where'),
  and: text('ja', 'and'),
  frozen: text('Hulk külmub käivitamisel, hilisemad vasted kaasa ei tule.', 'The set is frozen at launch; later matches do not join.'),
  read: text((bureau: string | null, at: string) => `${bureau !== null ? `Büroo ${bureau}` : 'Koda'} · loetud ${at}`, (bureau, at) => `${bureau !== null ? `Bureau ${bureau}` : 'Chamber'} · counted ${at}`),
  leftOut: text((n: number) => `Välja jääb ${num(n)} teiste büroode ${plural('et', n, 'toimik', 'toimikut')}: tegevus käib ainult oma toimikutega.`, (n) => `${num(n)} ${plural('en', n, 'case', 'cases')} of other bureaus left out: the action runs over your own cases only.`),
  what: text('Mis tehakse', 'What is done'),
  newFee: text('Uus alustamise tasu', 'New start fee'),
  effect: text('Mõju', 'Effect'),
  processed: text((n: number, skipped: number) => (skipped > 0 ? `Töödeldakse ${num(n)}, vahele jääb ${num(skipped)}` : `Töödeldakse kõik ${num(n)}`), (n, skipped) => (skipped > 0 ? `${num(n)} will be processed, ${num(skipped)} skipped` : `All ${num(n)} will be processed`)),
  skippedGet: text('vahele jäetu saab tulemuseks hoiatuse koos põhjusega', 'what is skipped ends with a warning and its reason'),
  includeProblems: text('Tee ka neis', 'Do it in them too'),
  problemsWarning: text('Probleemidega toimikutel masstegevusi ei tehta, kui seda eraldi ei kinnita.', 'Bulk actions are not run on cases with problems unless you confirm it.'),
  sample: text((n: number) => `Näidis: ${n} ${plural('et', n, 'toimik', 'toimikut')}`, (n) => `Sample: ${n} ${plural('en', n, 'case', 'cases')}`),
  newSample: text('Uus näidis', 'New sample'),
  sampleTable: text('Näidis', 'Sample'),
  loading: text('Eelvaadet arvutatakse …', 'Working out the preview …'),
  failed: text('Eelvaate arvutamine ebaõnnestus.', 'The preview could not be worked out.'),
  nothing: text('Filtrile ei vasta praegu ükski toimik.', 'No case matches the filters now.'),
  allSkipped: text('Kõik toimikud jääksid vahele.', 'All cases would be skipped.'),
  typeNumber: text('Kinnitamiseks kirjuta toimikute arv', 'To confirm, type the number of cases'),
  confirmFirst: text('Kirjuta enne toimikute arv.', 'Type the number of cases first.'),
  sending: text('Käivitatakse …', 'Launching …'),
  noAnswer: text('Server ei vasta.', 'The server does not answer.'),
  noAnswerHint: text('Proovi uuesti: sama korraldust teist korda ei käivitata.', 'Try again: the same order is not launched twice.'),
  createFailed: text('Masstegevuse loomine ebaõnnestus', 'The bulk action could not be created'),
  moved: text('Toimikute arv on vahepeal muutunud. Vaata uus eelvaade üle ja kinnita uuesti.', 'The number of cases has changed. Check the new preview and confirm again.'),
  startFee: text('Menetluse alustamise tasu', 'Start fee'),
  startFeeHint: text('Tasu kehtib kõigile valitud toimikutele, euro kahe komakohaga.', 'The fee goes to all chosen cases; euros with two decimals.'),
  startFeeBad: text('Summa on kujul 15,00 ega ole negatiivne.', 'Write the amount as 15,00; it cannot be negative.'),
  columns: {
    number: text('Toimik', 'Case'),
    status: text('Staatus', 'Status'),
    debtor: text('Võlgnik', 'Debtor'),
    claims: text('Nõuded kokku', 'Total claims'),
    start: text('Alust. tasu', 'Start fee'),
    issuer: text('Põhitasu', 'Issuer fee'),
    balance: text('Saldo', 'Balance'),
  },
}

/** Per type: what is done, what it touches, and the verb with its number. */
export const about = {
  1: {
    what: text('alustamise tasu seadmine', 'setting the start fee'),
    effect: text('muudab toimikute tasu ja saldot', 'changes the fee and balance of the cases'),
    verb: text((n: number) => `Sea tasu ${num(n)} toimikus`, (n) => `Set the fee in ${num(n)} ${plural('en', n, 'case', 'cases')}`),
  },
  3: {
    what: text('uue põhitasu arvutamine', 'computing a new issuer fee'),
    effect: text('muudab toimikute põhitasu ja saldot', 'changes the issuer fee and balance of the cases'),
    verb: text((n: number) => `Arvuta põhitasu ${num(n)} toimikus`, (n) => `Compute the fee in ${num(n)} ${plural('en', n, 'case', 'cases')}`),
  },
  9: {
    what: text('sünkroonimine täitmisregistriga', 'synchronising with the national register'),
    effect: text('saadab toimikute andmed riiklikku registrisse', 'sends the cases to the national register'),
    verb: text((n: number) => `Sünkrooni ${num(n)} ${plural('et', n, 'toimik', 'toimikut')}`, (n) => `Synchronise ${num(n)} ${plural('en', n, 'case', 'cases')}`),
  },
} as const

export type LaunchType = keyof typeof about
