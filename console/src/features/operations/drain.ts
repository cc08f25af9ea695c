// How soon a queue will be empty, in words; pure.
import type { QueueAnswer } from '@/api/operations'
import { spanWord } from '@/lib/span'
import { text } from '@/lib/texts'

const words = {
  now: text('kohe', 'at once'),
  never: text('ei tühjene', 'does not drain'),
  ifResumed: text((span: string) => `${span}, kui jätkub`, (span) => `${span} once resumed`),
}
const nb = '\u00a0'

/** A rate of some minutes foretells no better than this: "7–10 min", "2–3 h"; seconds are said as they are. */
export function rangeWord(seconds: number): string {
  if (seconds < 60) return spanWord(Math.ceil(seconds) * 1000)
  const units: Array<[number, string]> = [[60, 'min'], [3600, 'h'], [86_400, spanWord(86_400_000).slice(2)]]
  const [size, word] = units.findLast(([size]) => seconds >= size * 1.5) ?? units[0] ?? [60, 'min']
  const low = Math.max(1, Math.floor((seconds * 0.85) / size))
  const high = Math.max(low, Math.ceil((seconds * 1.2) / size))
  return low === high ? `${low}${nb}${word}` : `${low}–${high}${nb}${word}`
}

const STANDS: ReadonlySet<QueueAnswer['state']> = new Set<QueueAnswer['state']>(['no_workers', 'register_down', 'stuck'])

export type Drain = { word: string; tone: 'err' | 'quiet' | 'plain' }

export function drainOf(queue: Pick<QueueAnswer, 'waiting' | 'drainSeconds' | 'state' | 'pause'>): Drain {
  if (queue.waiting.value === 0) return { word: words.now(), tone: 'quiet' }
  const paused = queue.state === 'paused' || queue.pause !== null
  if (queue.drainSeconds === null) return { word: words.never(), tone: paused ? 'quiet' : 'err' }
  // Its pace is that of before it stood still.
  if (STANDS.has(queue.state)) return { word: words.never(), tone: 'err' }
  const span = rangeWord(queue.drainSeconds)
  return paused ? { word: words.ifResumed(span), tone: 'quiet' } : { word: span, tone: 'plain' }
}
