// A cron's pattern in words, by Tallinn's clock; one that has no short words is said as it is written. Pure.
import { plural, text } from '@/lib/texts'

const weekdays = [
  text('pühapäeviti', 'on Sundays'), text('esmaspäeviti', 'on Mondays'), text('teisipäeviti', 'on Tuesdays'), text('kolmapäeviti', 'on Wednesdays'),
  text('neljapäeviti', 'on Thursdays'), text('reedeti', 'on Fridays'), text('laupäeviti', 'on Saturdays'),
]

const said = {
  second: text('iga sekund', 'every second'),
  minute: text('iga minut', 'every minute'),
  minutes: text((n: number) => `iga ${n} min`, (n) => `every ${n} min`),
  hour: text('iga tund', 'every hour'),
  pastHour: text((n: number) => `iga tund, ${n} ${plural('et', n, 'minut', 'minutit')} üle täistunni`, (n) => `every hour, ${n} ${plural('en', n, 'minute', 'minutes')} past`),
  daily: text('iga päev', 'every day'),
  workdays: text('tööpäeviti', 'on workdays'),
  monthly: text((day: number) => `iga kuu ${day}. päeval`, (day) => `on day ${day} of each month`),
  at: text((days: string, times: string) => `${days} kell ${times}`, (days, times) => `${days} at ${times}`),
  and: text(' ja ', ' and '),
}

const HOUR = 60

/** The numbers of a field, "5" or "5,20,35"; null for anything else. */
function numbers(field: string): number[] | null {
  return /^\d{1,2}(,\d{1,2})*$/.test(field) ? field.split(',').map(Number) : null
}

/** How many minutes lie between two due times, where they are evenly apart around the hour. */
function everyMinutes(field: string): number | null {
  if (field === '*') return 1
  const step = /^\*\/(\d{1,2})$/.exec(field)
  if (step) return HOUR % Number(step[1]) === 0 ? Number(step[1]) : null
  const minutes = numbers(field)
  if (!minutes) return null
  const gap = HOUR / minutes.length
  return minutes.every((minute, index) => minute === (minutes[0] ?? 0) + index * gap) ? gap : null
}

function days(dayOfMonth: string, weekday: string): string | null {
  if (dayOfMonth === '*' && weekday === '*') return said.daily()
  if (weekday === '*' && /^\d{1,2}$/.test(dayOfMonth)) return said.monthly(Number(dayOfMonth))
  if (dayOfMonth !== '*') return null
  if (weekday === '1-5') return said.workdays()
  return /^[0-7]$/.test(weekday) ? (weekdays[Number(weekday) % 7]?.() ?? null) : null
}

const two = (value: number) => String(value).padStart(2, '0')

/** "iga päev kell 04:15", "iga 15 min". */
export function scheduleWord(pattern: string): string {
  const fields = pattern.trim().split(/\s+/)
  if (fields.length === 6) return fields.every((field) => field === '*') ? said.second() : pattern
  const [minute = '', hour = '', dayOfMonth = '', month = '', weekday = ''] = fields
  if (fields.length !== 5 || month !== '*') return pattern
  const when = days(dayOfMonth, weekday)
  if (hour === '*') {
    const gap = everyMinutes(minute)
    if (gap === null || dayOfMonth !== '*' || weekday !== '*') return pattern
    if (gap === 1) return said.minute()
    if (gap < HOUR) return said.minutes(gap)
    return Number(minute) === 0 ? said.hour() : said.pastHour(Number(minute))
  }
  const [hours, minutes] = [numbers(hour), numbers(minute)]
  if (when === null || !hours || minutes?.length !== 1) return pattern
  const times = hours.map((one) => `${two(one)}:${two(minutes[0] ?? 0)}`)
  return said.at(when, [times.slice(0, -1).join(', '), times.at(-1)].filter(Boolean).join(said.and()))
}
