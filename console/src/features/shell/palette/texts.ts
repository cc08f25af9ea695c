// Texts of the palette.
import { num } from '@/lib/format'
import { plural, text } from '@/lib/texts'

export const t = {
  title: text('Käsuriba', 'Command palette'),
  cases: text('Toimikud', 'Cases'),
  jobs: text('Tööd', 'Jobs'),
  pages: text('Lehed', 'Pages'),
  commands: text('Käsud', 'Commands'),
  nothing: text('Sellist toimikut, tööd ega käsku ei ole.', 'There is no such case, job or command.'),
  searching: text('Otsime …', 'Searching …'),
  failed: text('Toimikute otsimine ebaõnnestus.', 'The cases could not be searched.'),
  found: text((n: number) => `${num(n)} ${plural('et', n, 'vaste', 'vastet')}`, (n) => `${num(n)} ${plural('en', n, 'match', 'matches')}`),
  job: text((id: string) => `Töö ${id}`, (id) => `Job ${id}`),
  queue: text((name: string) => `Järjekord ${name}`, (name) => `Queue ${name}`),
  pauseQueue: text('Peata järjekord…', 'Pause a queue…'),
  searchCases: text((typed: string) => `Otsi toimikutest „${typed}“`, (typed) => `Search the cases for “${typed}”`),
  dark: text('Tume kujundus', 'Dark theme'),
  light: text('Hele kujundus', 'Light theme'),
  language: text('In English', 'Eesti keeles'),
  rows: { 28: text('Tihedad read', 'Compact rows'), 32: text('Tavalised read', 'Normal rows'), 40: text('Hõredad read', 'Roomy rows') },
  help: text('Näita kiirklahve', 'Show the keyboard shortcuts'),
  import: text('Impordi toimikud CSV-failist', 'Import cases from a CSV file'),
  signOut: text('Logi välja', 'Sign out'),
}
