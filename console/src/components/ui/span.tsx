// How old something is or how soon it comes, by the second, without asking anybody; the exact time on hover.
import { dateTime, timeOf } from '@/lib/format'
import { spanWord } from '@/lib/span'
import { text } from '@/lib/texts'
import { useNow } from '@/lib/use-now'

const soon = text((span: string) => `${span} pärast`, (span) => `in ${span}`)
const due = text('kohe', 'now')

/** The age of an instant: "4 min". */
export function Age({ at, className }: { at: string; className?: string }) {
  const now = useNow(true)
  return <time dateTime={at} title={`${dateTime(at)}:${timeOf(at).slice(-2)}`} className={className}>{spanWord(now - Date.parse(at))}</time>
}

/** How soon an instant comes: "9 s pärast", "kohe" once it is there. */
export function Until({ at }: { at: string }) {
  const left = Date.parse(at) - useNow(true)
  return <time dateTime={at} title={`${dateTime(at)}:${timeOf(at).slice(-2)}`}>{left < 1000 ? due() : soon(spanWord(left))}</time>
}
