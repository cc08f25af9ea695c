// Texts that several nouns share.
import { num } from './format'
import { plural, text } from './texts'

export const common = {
  product: text('Toimik', 'Toimik'),
  signOut: text('Logi välja', 'Sign out'),
  dark: text('Tume kujundus', 'Dark theme'),
  light: text('Hele kujundus', 'Light theme'),
  closeWindow: text('Sulge aken', 'Close window'),
  leave: text('Loobu', 'Cancel'),
  /** Where the act beside it is itself to cancel. */
  back: text('Loobu', 'Go back'),
  chunkFailed: text('Rakenduse osa laadimine ebaõnnestus.', 'A part of the program could not be loaded.'),
  reloadPage: text('Laadi leht uuesti.', 'Reload the page.'),
  dataFrom: text('andmed seisuga', 'data from'),
  shownFrom: text((at: string) => `Näitame andmeid seisuga ${at}.`, (at) => `Showing data from ${at}.`),
  matches: text((n: number) => `${num(n)} ${plural('et', n, 'vaste', 'vastet')}`, (n) => `${num(n)} ${plural('en', n, 'match', 'matches')}`),
  keysRow: text('rida', 'row'),
}
