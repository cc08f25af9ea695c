// From Tallinn's clock to instants: a day or a minute that a person names, as the API takes it.
import { isoDay, timeOf } from './format'

function wall(at: number): number {
  return Date.parse(`${isoDay(at)}T${timeOf(at)}Z`)
}

/** The instant at which Tallinn's clock shows this day and time; across a clock change the later reading wins. */
export function tallinn(day: string, time = '00:00:00'): string {
  const said = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`)
  const second = Math.floor(said / 1000) * 1000
  const first = second - (wall(second) - second)
  const at = second - (wall(first) - first)
  return new Date(at + (said - second)).toISOString()
}

/** How far Tallinn's clock is ahead of UTC, in milliseconds. */
function aheadMs(at: number): number {
  return wall(at) - Math.floor(at / 1000) * 1000
}

const MINUTE_MS = 60_000

/** The instant within the span at which Tallinn's clock is put forward (+1) or back (-1), to the minute. */
export function clockChange(from: number, to: number): { at: number; turn: 1 | -1 } | null {
  const [before, after] = [aheadMs(from), aheadMs(to)]
  if (before === after) return null
  let [low, high] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (aheadMs(middle * MINUTE_MS) === before) low = middle
    else high = middle
  }
  return { at: high * MINUTE_MS, turn: after > before ? 1 : -1 }
}
