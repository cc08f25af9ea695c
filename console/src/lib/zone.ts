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
