// Newer and older rows of a list without page numbers; the way back is remembered while the program runs.
import { Link, type LinkProps } from '@tanstack/react-router'
import { Icon } from '@/components/ui/icons'
import { num } from '@/lib/format'
import { plural, text } from '@/lib/texts'
import { recallTrail, rememberTrail } from './trail'

const texts = {
  pages: text('Lehed', 'Pages'),
  time: { first: text('Uusimad', 'Newest'), before: text('Uuemad', 'Newer'), next: text('Vanemad', 'Older') },
  place: { first: text('Esimesed', 'First'), before: text('Eelmised', 'Previous'), next: text('Järgmised', 'Next') },
  rows: text((n: number) => `${num(n)} ${plural('et', n, 'rida', 'rida')}`, (n) => `${num(n)} ${plural('en', n, 'row', 'rows')}`),
}

const box = 'inline-flex h-6 items-center gap-1 rounded-sm px-1.5 text-foreground hover:bg-accent'

/** `place` names the list and its filter; `after` is this page's cursor, `next` the one of older rows. */
export function KeysetPager({ place, after, next, shown, order = 'time', link }: { place: string; after: string | undefined; next: string | null | undefined; shown: number; /** Newest first, or in their own order. */ order?: 'time' | 'place'; link: (after: string | undefined) => LinkProps }) {
  const words = texts[order]
  const before = after === undefined ? null : recallTrail(place, after)
  if (next) rememberTrail(place, next, after)
  return (
    <>
      <span>{texts.rows(shown)}</span>
      <nav aria-label={texts.pages()} className="flex items-center gap-0.5">
        {after !== undefined ? <Link activeOptions={{ exact: true }} {...link(undefined)} className={box}>{words.first()}</Link> : null}
        {before !== null ? <Link activeOptions={{ exact: true }} {...link(before.after)} className={box}><Icon name="left" className="size-3.5" />{words.before()}</Link> : null}
        {next ? <Link activeOptions={{ exact: true }} {...link(next)} className={box}>{words.next()}<Icon name="right" className="size-3.5" /></Link> : null}
      </nav>
    </>
  )
}
