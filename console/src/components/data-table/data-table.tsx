// The one table: sortable heads that are links, ticks, a keyboard row, an opened row, skeletons and stale rows.
import { Link, type LinkProps } from '@tanstack/react-router'
import { memo, type ReactNode, useCallback, useEffect, useRef } from 'react'
import { Checkbox } from '@/components/ui/checkbox'
import { Bone } from '@/components/ui/feedback'
import { Icon } from '@/components/ui/icons'
import { cn } from '@/lib/utils'

export type Column<T> = {
  key: string
  title: string
  /** The whole head, where `title` is short for it. */
  fullTitle?: string
  /** Fixed width in pixels; without it the column takes a share of the rest. */
  width?: number
  numeric?: boolean
  pinned?: boolean
  /** The head is read out but not shown. */
  silent?: boolean
  wrapTitle?: boolean
  sortable?: boolean
  className?: string
  cell: (row: T) => ReactNode
  /** The full value, for cells that may be cut. */
  hint?: (row: T) => string | undefined
}

export type Sort = { field: string; direction: 'asc' | 'desc' }

type Ticks = { ticked: ReadonlySet<number>; toggle: (id: number) => void; togglePage: () => void; allLabel: string; label: string }

type DataTableProps<T extends { id: number }> = {
  label: string
  columns: Column<T>[]
  rows: T[]
  rowName: (row: T) => string
  sort?: Sort
  sortLink?: (field: string) => LinkProps
  ticks?: Ticks
  here?: number | null
  onHere?: (index: number) => void
  tone?: (row: T) => 'err' | 'warn' | undefined
  /** Rows whose data is no longer known to be true. */
  dim?: (row: T) => boolean
  opened?: number | null
  more?: (row: T) => ReactNode
  /** How many skeleton rows stand in while nothing has come. */
  bones?: number
  stale?: boolean
  surface?: 'card' | 'popover'
  minWidth?: number
}

const PICK_WIDTH = 34

function ariaSort(sort: Sort | undefined, field: string): 'ascending' | 'descending' | undefined {
  if (sort?.field !== field) return undefined
  return sort.direction === 'asc' ? 'ascending' : 'descending'
}

function HeadCell<T>({ column, sort, sortLink }: { column: Column<T>; sort?: Sort | undefined; sortLink?: ((field: string) => LinkProps) | undefined }) {
  const sorted = ariaSort(sort, column.key)
  const title = column.silent ? <span className="sr-only">{column.title}</span> : column.title
  return (
    <th scope="col" aria-sort={sorted} title={column.silent ? undefined : (column.fullTitle ?? column.title)} className={cn(column.numeric && 'num', column.pinned && 'pin', column.wrapTitle ? 'whitespace-normal' : 'whitespace-nowrap')}>
      {column.sortable && sortLink ? (
        <Link {...sortLink(column.key)} className={cn('inline-flex min-h-6 items-center gap-[3px] rounded-sm hover:text-foreground', sorted && 'font-semibold text-foreground')}>
          {title}
          {sorted ? <Icon name={sorted === 'ascending' ? 'sort-up' : 'sort-down'} className="size-[11px]" /> : null}
        </Link>
      ) : title}
    </th>
  )
}

type RowProps<T> = {
  row: T
  index: number
  columns: Column<T>[]
  here: boolean
  opened: boolean
  tone: 'err' | 'warn' | undefined
  dim: boolean | undefined
  onHere: ((index: number) => void) | undefined
  /** Undefined where rows have no ticks. */
  ticked: boolean | undefined
  tickLabel: string | undefined
  onTick: (id: number) => void
  more: ReactNode
}

/** Drawn anew only when something of its own has changed: a key moves two rows, not forty. */
const Row = memo(function Row<T extends { id: number }>({ row, index, columns, here, opened, tone, dim, onHere, ticked, tickLabel, onTick, more }: RowProps<T>) {
  const line = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (here) line.current?.scrollIntoView({ block: 'nearest' })
  }, [here])
  return (
    <>
      <tr
        ref={line}
        data-row
        data-here={here || undefined}
        data-ticked={ticked || undefined}
        data-tone={tone}
        data-gone={dim || undefined}
        data-opened={opened || undefined}
        onMouseDown={onHere ? () => onHere(index) : undefined}
      >
        {ticked === undefined ? null : (
          <td className="pin pick">
            <Checkbox aria-label={tickLabel} checked={ticked} onChange={() => onTick(row.id)} />
          </td>
        )}
        {columns.map((column) => (
          <td key={column.key} className={cn(column.numeric && 'num', column.pinned && 'pin', column.className)} title={column.hint?.(row)}>{column.cell(row)}</td>
        ))}
      </tr>
      {more ? (
        <tr data-more data-tone={tone}>
          <td colSpan={columns.length + (ticked === undefined ? 0 : 1)}>{more}</td>
        </tr>
      ) : null}
    </>
  )
}) as <T extends { id: number }>(props: RowProps<T>) => ReactNode

export function DataTable<T extends { id: number }>(props: DataTableProps<T>) {
  const { columns, rows, ticks, here = null, opened = null, bones = 0 } = props
  const toggle = useRef(ticks?.toggle)
  useEffect(() => {
    toggle.current = ticks?.toggle
  })
  const onTick = useCallback((id: number) => toggle.current?.(id), [])
  const tickedHere = ticks ? rows.filter((row) => ticks.ticked.has(row.id)).length : 0

  return (
    <table className="tbl" aria-label={props.label} aria-busy={props.stale || undefined} data-stale={props.stale || undefined} data-surface={props.surface} style={{ minWidth: props.minWidth }}>
      <colgroup>
        {ticks ? <col style={{ width: PICK_WIDTH }} /> : null}
        {columns.map((column) => <col key={column.key} style={{ width: column.width }} />)}
      </colgroup>
      <thead>
        <tr>
          {ticks ? (
            <th scope="col" className="pin pick">
              <Checkbox aria-label={ticks.allLabel} checked={tickedHere > 0 && tickedHere === rows.length} indeterminate={tickedHere > 0 && tickedHere < rows.length} disabled={rows.length === 0} onChange={ticks.togglePage} />
            </th>
          ) : null}
          {columns.map((column) => <HeadCell key={column.key} column={column} sort={props.sort} sortLink={props.sortLink} />)}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: rows.length === 0 ? bones : 0 }, (_, index) => (
          <tr key={`bone-${index}`} aria-hidden="true">
            {ticks ? <td className="pin pick" /> : null}
            {columns.map((column, at) => (
              <td key={column.key} className={cn(column.pinned && 'pin')}>
                <Bone className={cn(column.numeric && 'ml-auto', ['w-3/4', 'w-1/2', 'w-2/3', 'w-3/5'][(index + at) % 4])} />
              </td>
            ))}
          </tr>
        ))}
        {rows.map((row, index) => (
          <Row
            key={row.id}
            row={row}
            index={index}
            columns={columns}
            here={index === here}
            opened={opened === row.id}
            tone={props.tone?.(row)}
            dim={props.dim?.(row)}
            onHere={props.onHere}
            ticked={ticks?.ticked.has(row.id)}
            tickLabel={ticks ? `${ticks.label} ${props.rowName(row)}` : undefined}
            onTick={onTick}
            more={opened === row.id ? props.more?.(row) : undefined}
          />
        ))}
      </tbody>
    </table>
  )
}
