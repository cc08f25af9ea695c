// Newer and older rows of a list without page numbers; the way back is remembered while the program runs.
import { Link, type LinkProps } from '@tanstack/react-router'
import { Icon } from '@/components/ui/icons'
import { num } from '@/lib/format'
import { plural, text } from '@/lib/texts'
import { recallTrail, rememberTrail } from './trail'

const texts = {
  pages: text('Lehed', 'Pages'),
  newest: text('Uusimad', 'Newest'),
  newer: text('Uuemad', 'Newer'),
  older: text('Vanemad', 'Older'),
  rows: text((n: number) => `${num(n)} ${plural('et', n, 'rida', 'rida')}`, (n) => `${num(n)} ${plural('en', n, 'row', 'rows')}`),
}

const box = 'inline-flex h-6 items-center gap-1 rounded-sm px-1.5 text-foreground hover:bg-accent'

/** `place` names the list and its filter; `after` is this page's cursor, `next` the one of older rows. */
export function KeysetPager({ place, after, next, shown, link }: { place: string; after: string | undefined; next: string | null | undefined; shown: number; link: (after: string | undefined) => LinkProps }) {
  const before = after === undefined ? null : recallTrail(place, after)
  if (next) rememberTrail(place, next, after)
  return (
    <>
      <span>{texts.rows(shown)}</span>
      <nav aria-label={texts.pages()} className="flex items-center gap-0.5">
        {after !== undefined ? <Link {...link(undefined)} className={box}>{texts.newest()}</Link> : null}
        {before !== null ? <Link {...link(before.after)} className={box}><Icon name="left" className="size-3.5" />{texts.newer()}</Link> : null}
        {next ? <Link {...link(next)} className={box}>{texts.older()}<Icon name="right" className="size-3.5" /></Link> : null}
      </nav>
    </>
  )
}
