// The pager: which rows these are, and links to the first, the near and the last pages.
import { Link, type LinkProps } from '@tanstack/react-router'
import { Icon } from '@/components/ui/icons'
import { num } from '@/lib/format'
import { text } from '@/lib/texts'
import { cn } from '@/lib/utils'

const texts = {
  pages: text('Lehed', 'Pages'),
  page: text((n: number) => `Leht ${n}`, (n) => `Page ${n}`),
  previous: text('Eelmine leht', 'Previous page'),
  next: text('Järgmine leht', 'Next page'),
}

/** The page numbers to show: the ends and the neighbours; 0 stands for a gap. */
export function pageNumbers(page: number, last: number): number[] {
  const wanted = new Set([1, 2, 3, page - 1, page, page + 1, last].filter((n) => n >= 1 && n <= last && (n > 3 || page <= 3 || n === 1)))
  const sorted = [...wanted].toSorted((a, b) => a - b)
  return sorted.flatMap((n, index) => {
    const before = sorted[index - 1]
    return before !== undefined && n - before > 1 ? [0, n] : [n]
  })
}

const box = 'grid h-6 min-w-6 place-items-center rounded-sm px-1 text-foreground'

export function Pager({ page, perPage, total, shown, unit, link }: { page: number; perPage: number; total: number | undefined; shown?: number; unit?: string; link: (page: number) => LinkProps }) {
  const last = total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage))
  const from = (page - 1) * perPage + 1
  const until = total === undefined ? from + (shown ?? perPage) - 1 : Math.min(page * perPage, total)
  const more = last === undefined ? (shown ?? 0) >= perPage : page < last
  return (
    <>
      <span>
        {total === 0 || until < from ? '0' : `${num(from)}–${num(until)}`}
        {total === undefined ? null : <> / <b className="font-semibold text-foreground">{num(total)}</b></>}
        {unit ? ` ${unit}` : null}
      </span>
      <nav aria-label={texts.pages()} className="flex items-center gap-0.5">
        {page > 1 ? <Link activeOptions={{ exact: true }} {...link(page - 1)} aria-label={texts.previous()} className={cn(box, 'hover:bg-accent')}><Icon name="left" className="size-3.5" /></Link> : null}
        {(last === undefined ? [page] : pageNumbers(page, last)).map((n, index) =>
          n === 0 ? <span key={`gap-${index}`}>…</span> : (
            <Link key={n} {...link(n)} activeOptions={{ exact: true }} aria-label={texts.page(n)} aria-current={n === page ? 'page' : undefined} className={cn(box, n === page ? 'bg-foreground font-semibold text-card' : 'hover:bg-accent')}>
              {num(n)}
            </Link>
          ))}
        {more ? <Link activeOptions={{ exact: true }} {...link(page + 1)} aria-label={texts.next()} className={cn(box, 'hover:bg-accent')}><Icon name="right" className="size-3.5" /></Link> : null}
      </nav>
    </>
  )
}
