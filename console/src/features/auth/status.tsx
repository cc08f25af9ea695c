// How roles are said.
import { text } from '@/lib/texts'

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
