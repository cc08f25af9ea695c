// What the keys of a refusal are called: the API's field names in words.
import { text } from '@/lib/texts'

const names: Record<string, () => string> = {
  account: text('konto', 'account'),
  amount: text('summa', 'amount'),
  args: text('seaded', 'arguments'),
  balance: text('saldo', 'balance'),
  case: text('toimik', 'case'),
  casenumber: text('toimiku number', 'case number'),
  claimant: text('sissenõudja', 'claimant'),
  code: text('kood', 'code'),
  columns: text('veerud', 'columns'),
  date: text('kuupäev', 'date'),
  debtor: text('võlgnik', 'debtor'),
  email: text('e-post', 'e-mail'),
  expectedcount: text('toimikute arv', 'number of cases'),
  file: text('fail', 'file'),
  filters: text('filtrid', 'filters'),
  iban: text('IBAN', 'IBAN'),
  message: text('teade', 'message'),
  name: text('nimi', 'name'),
  number: text('number', 'number'),
  password: text('parool', 'password'),
  reason: text('põhjus', 'reason'),
  referenceno: text('viitenumber', 'reference number'),
  regcode: text('isiku- või registrikood', 'personal or register code'),
  startfee: text('alustamise tasu', 'start fee'),
  status: text('staatus', 'status'),
  tenant: text('büroo', 'bureau'),
  type: text('liik', 'type'),
  username: text('kasutajatunnus', 'user name'),
}

/** The word for a key, however it is spelled (startFee, start_fee); a key without one stays as it is. */
export function fieldName(key: string): string {
  return names[key.replaceAll(/[^a-z]/gi, '').toLowerCase()]?.() ?? key
}
