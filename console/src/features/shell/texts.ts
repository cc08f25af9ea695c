// Texts of the frame around every page.
import { text } from '@/lib/texts'

export const t = {
  product: text('Toimik', 'Toimik'),
  toDashboard: text('Toimik, töölauale', 'Toimik, to the dashboard'),
  skip: text('Liigu sisu juurde', 'Skip to content'),
  mainNav: text('Põhimenüü', 'Main menu'),
  hideMenu: text('Peida menüü', 'Hide menu'),
  showMenu: text('Ava menüü', 'Show menu'),
  dark: text('Tume kujundus', 'Dark theme'),
  light: text('Hele kujundus', 'Light theme'),
  keyboard: text('Kiirklahvid', 'Keyboard shortcuts'),
  signOut: text('Logi välja', 'Sign out'),
  role: text('Roll', 'Role'),
  language: text('Keel', 'Language'),
  rowHeight: text('Rea kõrgus', 'Row height'),
  compact: text('Tihe, 28', 'Compact, 28'),
  normal: text('Tavaline, 32', 'Normal, 32'),
  roomy: text('Hõre, 40', 'Roomy, 40'),
  dashboard: text('Töölaud', 'Dashboard'),
  cases: text('Toimikud', 'Cases'),
  bulkActions: text('Masstegevused', 'Bulk actions'),
  running: text((n: number) => `${n} töös`, (n) => `${n} running`),
  close: text('Sulge aken', 'Close window'),
  saveFailed: text('Salvestamine ebaõnnestus!', 'Saving failed!'),
  chunkTitle: text('Rakenduse osa laadimine ebaõnnestus.', 'A part of the program could not be loaded.'),
  chunkText: text('Rakendusest võib olla uus versioon või ühendus katkes.', 'There may be a new version, or the connection was lost.'),
  reload: text('Laadi leht uuesti', 'Reload the page'),
  failedTitle: text('Lehe avamine ebaõnnestus.', 'The page could not be opened.'),
  keys: {
    where: text('Kus', 'Where'),
    lists: text('Loendites', 'In lists'),
    everywhere: text('Igal pool', 'Everywhere'),
    jk: text('järgmine ja eelmine rida', 'next and previous row'),
    x: text('vali rida', 'tick the row'),
    enter: text('ava rida', 'open the row'),
    r: text('korda alamtegevust', 'retry the task'),
    slash: text('otsi', 'search'),
    help: text('see abi', 'this help'),
    escape: text('sulge aken või menüü', 'close a window or menu'),
  },
}

export const roleWord = {
  KT: text('Kohtutäitur', 'Bailiff'),
  koda: text('Koda', 'Chamber'),
  dev: text('Arendaja', 'Developer'),
}
export const roleShort = {
  KT: text('KT', 'bailiff'),
  koda: text('koda', 'chamber'),
  dev: text('arendaja', 'developer'),
}
