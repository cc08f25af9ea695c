// The menu of bulk actions over everything that matches the list's filters.
import { lazy, useState } from 'react'
import { BulkType, type BulkTypeCode, type CaseFilters, type RoleName } from '@/api/types'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icons'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Piece } from '@/components/ui/piece'
import type { Said } from '@/lib/said'
import { text } from '@/lib/texts'
import { typeWord } from './status'

const StartDialog = lazy(() => import('./start-dialog').then((module) => ({ default: module.StartDialog })))

const later = text('tuleb hiljem', 'comes later')
const menu = text('Masstegevus', 'Bulk action')

/** The order of the specification; the chamber alone has the last one. */
const ORDER: BulkTypeCode[] = [BulkType.issuerFee, BulkType.removePrepare, BulkType.arrestPrepare, BulkType.startFee, BulkType.close, BulkType.validate]
const BUILT: ReadonlySet<BulkTypeCode> = new Set<BulkTypeCode>([BulkType.startFee, BulkType.issuerFee, BulkType.sync])

export function StartMenu({ filters, said, role, reason }: { filters: CaseFilters; said: Said; role: RoleName | undefined; reason: string | null }) {
  const [type, setType] = useState<BulkTypeCode | null>(null)
  const types = role === 'koda' ? [...ORDER, BulkType.sync] : ORDER
  const label = <><Icon name="layers" />{menu()}<Icon name="down" /></>
  return (
    <>
      {reason ? <Button variant="primary" reason={reason}>{label}</Button> : (
        <Menu trigger={<Button variant="primary">{label}</Button>}>
          {types.map((one) => (
            <MenuItem key={one} disabled={!BUILT.has(one)} hint={BUILT.has(one) ? undefined : later()} onClick={() => setType(one)}>
              {typeWord[one]()}
            </MenuItem>
          ))}
        </Menu>
      )}
      {type === null ? null : <Piece onLost={() => setType(null)}><StartDialog key={type} type={type} filters={filters} said={said} onClose={() => setType(null)} /></Piece>}
    </>
  )
}
