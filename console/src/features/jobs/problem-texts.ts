// What may be wrong in a filter written as text.
import { text } from '@/lib/texts'

const at = text((place: number, what: string) => `Kohal ${place}: ${what}`, (place, what) => `At ${place}: ${what}`)
const texts = {
  no_field: text((what: string) => `välja „${what}“ ei ole. Kui otsid neid sõnu, pane need jutumärkidesse.`, (what) => `there is no field “${what}”. To search for these words, put them in quotes.`),
  no_value: text((_what: string) => 'väärtus puudub.', () => 'the value is missing.'),
  bad_state: text((what: string) => `olekut „${what}“ ei ole.`, (what) => `there is no state “${what}”.`),
  bad_queue: text((what: string) => `järjekorda „${what}“ ei ole.`, (what) => `there is no queue “${what}”.`),
  bad_kind: text((what: string) => `„${what}“ ei ole töö liik.`, (what) => `“${what}” is not a kind of job.`),
  bad_number: text((what: string) => `„${what}“ ei ole number.`, (what) => `“${what}” is not a number.`),
  bad_case: text((what: string) => `„${what}“ ei ole toimiku number; see on kujul 101/2025/3307.`, (what) => `“${what}” is not a case number; write it as 101/2025/3307.`),
  bad_date: text((what: string) => `„${what}“ ei ole kuupäev ega vahemik. Kirjuta näiteks >2026-11-01 või 1.11.2026..3.11.2026.`, (what) => `“${what}” is neither a date nor a range. Write for example >2026-11-01 or 1.11.2026..3.11.2026.`),
  bad_order: text((_what: string) => 'vahemiku algus on pärast lõppu.', () => 'the range begins after its end.'),
  twice: text((what: string) => `„${what}“ on juba antud.`, (what) => `“${what}” is given already.`),
  open_quote: text((_what: string) => 'jutumärk on sulgemata.', () => 'the quote is not closed.'),
  after_quote: text((_what: string) => 'jutumärgi järel peab olema tühik.', () => 'a blank must follow the closing quote.'),
  too_long: text((_what: string) => 'tekst on pikem kui 200 tähte.', () => 'the text is longer than 200 letters.'),
}

export type ProblemCode = keyof typeof texts

export function problemText(code: ProblemCode, what: string, place: number): string {
  return at(place, texts[code](what))
}
