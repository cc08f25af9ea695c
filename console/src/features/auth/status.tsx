// How roles are said, and who acts in which.
import type { RoleName } from '@/api/types'
import { text } from '@/lib/texts'

export const roleWord = {
  KT: text('Kohtutäitur', 'Bailiff'),
  koda: text('Koda', 'Chamber'),
  dev: text('Arendaja', 'Operator'),
}

export const roleShort = {
  KT: text('KT', 'bailiff'),
  koda: text('koda', 'chamber'),
  dev: text('arendaja', 'operator'),
}

const bureau = text((code: string) => `büroo ${code}`, (code) => `bureau ${code}`)

/** The chamber's place among the bureaus. */
const CHAMBER = 'koda'

/** A role and its bureau: "KT, büroo 101"; the chamber is none. */
export function roleAndBureau(role: RoleName | null | undefined, tenantCode: string | null | undefined): string {
  return [role && roleShort[role](), tenantCode && tenantCode !== CHAMBER && role !== 'koda' && bureau(tenantCode)].filter(Boolean).join(', ')
}
