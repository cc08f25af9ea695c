// A table of an import's errors or warnings: each reason in full, as high as it needs; long ones draw only the rows in sight.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { ImportLine } from '@/api/types'
import { CaseNumber } from '@/components/ui/figures'
import { num } from '@/lib/format'
import { t } from './texts'

const ROW = 28
const SEEN = 9

export function LineTable({ label, lines }: { label: string; lines: ImportLine[] }) {
  const box = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({ count: lines.length, getScrollElement: () => box.current, estimateSize: () => ROW, overscan: 8, getItemKey: (index) => index })
  const items = rows.getVirtualItems()
  const first = items[0]?.start ?? 0
  const rest = rows.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div ref={box} tabIndex={0} role="region" aria-label={label} className="overflow-auto rounded-md border" style={{ maxHeight: (SEEN + 1) * ROW + 4 }}>
      <table className="tbl [--row:28px]" aria-label={label} aria-rowcount={lines.length + 1} data-surface="popover" style={{ minWidth: 480 }}>
        <colgroup><col style={{ width: 64 }} /><col style={{ width: 128 }} /><col style={{ width: 132 }} /><col /></colgroup>
        <thead>
          <tr>
            <th scope="col" className="num">{t.columns.row()}</th>
            <th scope="col">{t.columns.number()}</th>
            <th scope="col">{t.columns.column()}</th>
            <th scope="col">{t.columns.message()}</th>
          </tr>
        </thead>
        <tbody>
          {first > 0 ? <tr aria-hidden="true"><td colSpan={4} style={{ height: first, padding: 0, border: 0 }} /></tr> : null}
          {items.map((item) => {
            const line = lines[item.index]
            return line ? (
              <tr key={item.key} ref={rows.measureElement} data-index={item.index} data-row aria-rowindex={item.index + 2}>
                <td className="num">{num(line.row)}</td>
                <td>{line.case_number ? <CaseNumber number={line.case_number} /> : '–'}</td>
                <td title={line.column ?? undefined}>{line.column ?? '–'}</td>
                <td className="py-1 whitespace-normal wrap-anywhere">{line.message}</td>
              </tr>
            ) : null
          })}
          {rest > 0 ? <tr aria-hidden="true"><td colSpan={4} style={{ height: rest, padding: 0, border: 0 }} /></tr> : null}
        </tbody>
      </table>
    </div>
  )
}
