// The one table: sortable heads that are links, ticks, a keyboard row, an opened row, skeletons and stale rows.
import { Link, type LinkProps } from '@tanstack/react-router'
import { Fragment, type ReactNode, useEffect, useRef } from 'react'
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

export function DataTable<T extends { id: number }>(props: DataTableProps<T>) {
  const { columns, rows, ticks, here = null, opened = null, bones = 0 } = props
  const current = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (here !== null) current.current?.scrollIntoView({ block: 'nearest' })
  }, [here])
  const tickedHere = ticks ? rows.filter((row) => ticks.ticked.has(row.id)).length : 0
  const span = columns.length + (ticks ? 1 : 0)

  return (
    <table className="tbl" aria-label={props.label} aria-busy={props.stale || undefined} data-stale={props.stale || undefined} data-surface={props.surface} style={{ minWidth: props.minWidth }}>
      <colgroup>
        {ticks ? <col style={{ width: PICK_WIDTH }} /> : null}
        {columns.map((column) => <col key={column.key} style={{ width: column.width }} />)}
      </colgroup>
      <thead>
        <tr>
          {ticks ? (
            <th scope="col">
              <Checkbox aria-label={ticks.allLabel} checked={tickedHere > 0 && tickedHere === rows.length} indeterminate={tickedHere > 0 && tickedHere < rows.length} disabled={rows.length === 0} onChange={ticks.togglePage} />
            </th>
          ) : null}
          {columns.map((column) => <HeadCell key={column.key} column={column} sort={props.sort} sortLink={props.sortLink} />)}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: rows.length === 0 ? bones : 0 }, (_, index) => (
          <tr key={`bone-${index}`} aria-hidden="true">
            {ticks ? <td /> : null}
            {columns.map((column, at) => (
              <td key={column.key} className={cn(column.pinned && 'pin')}>
                <Bone className={cn(column.numeric && 'ml-auto', ['w-3/4', 'w-1/2', 'w-2/3', 'w-3/5'][(index + at) % 4])} />
              </td>
            ))}
          </tr>
        ))}
        {rows.map((row, index) => (
          <Fragment key={row.id}>
            <tr
              ref={index === here ? current : undefined}
              data-row
              data-here={index === here || undefined}
              data-ticked={ticks?.ticked.has(row.id) || undefined}
              data-tone={props.tone?.(row)}
              data-opened={opened === row.id || undefined}
              onMouseDown={props.onHere ? () => props.onHere?.(index) : undefined}
            >
              {ticks ? (
                <td>
                  <Checkbox aria-label={`${ticks.label} ${props.rowName(row)}`} checked={ticks.ticked.has(row.id)} onChange={() => ticks.toggle(row.id)} />
                </td>
              ) : null}
              {columns.map((column) => (
                <td key={column.key} className={cn(column.numeric && 'num', column.pinned && 'pin', column.className)} title={column.hint?.(row)}>{column.cell(row)}</td>
              ))}
            </tr>
            {opened === row.id && props.more ? (
              <tr data-more data-tone={props.tone?.(row)}>
                <td colSpan={span}>{props.more(row)}</td>
              </tr>
            ) : null}
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}
