/**
 * For which days a digest is due and when it has to come, as docs/digests.md says it: clocks on the wall are read minute by
 * minute with Intl, and nothing of the bot is asked.
 */

/** As the page names them; `week`: on this day of the week, 0 is Sunday. */
export interface Wish {
  every: 'day' | 'workday' | 'week'
  weekday: number
  minute: number
  zone: string
}

/** A digest that has to come: not before the first instant, and if the bot is there, at it. */
interface Expected {
  date: string
  atMs: number
  /** From then on it is too late. */
  endMs: number
}

const MINUTE_MS = 60_000
const NAMES = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

interface Wall {
  date: string
  weekday: number
  minute: number
}

/** What a wall shows at each minute of these days: the calendar of each zone is walked once. */
export interface Walk {
  fromMs: number
  walls: readonly Wall[]
}

export function walk(zone: string, fromMs: number, days: number): Walk {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{timeZone: zone, hourCycle: 'h23', weekday: 'short', calendar: 'gregory'},
    ...{year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit'},
  })
  const walls: Wall[] = []
  for (let at = 0; at < days * 24 * 60; at += 1) {
    // Tue, 31/03/2026, 02:00
    const [, day = '', d = '', m = '', y = '', h = '', min = ''] =
      /^(\w+), (\d+)\/(\d+)\/(\d+), (\d+):(\d+)$/.exec(format.format(fromMs + at * MINUTE_MS)) ?? []
    const minute = Number(h) * 60 + Number(min)
    walls.push({date: `${y}-${m}-${d}`, weekday: NAMES.indexOf(day), minute})
  }
  return {fromMs, walls}
}

function isWished({every, weekday}: Wish, day: number): boolean {
  if (every === 'day') return true
  return every === 'week' ? day === weekday : day >= 1 && day <= 5
}

/** What has to come of a wish in these days, in order; days that the walk begins or ends in are left out. */
export function expected(wish: Wish, {fromMs, walls}: Walk): Expected[] {
  const all: Expected[] = []
  const firstOf = new Map<string, number>()
  const lastOf = new Map<string, number>()
  for (const [at, {date}] of walls.entries()) {
    if (!firstOf.has(date)) firstOf.set(date, at)
    lastOf.set(date, at)
  }
  const dates = [...firstOf.keys()]
  for (const [index, date] of dates.entries()) {
    const next = dates[index + 1]
    if (index === 0 || next === undefined || index === dates.length - 2) continue
    const begin = firstOf.get(date) ?? 0
    const end = lastOf.get(date) ?? 0
    const {weekday} = walls[begin] ?? {weekday: -1}
    const passedOver = dayBefore(date)
    if (wish.every === 'week' && !firstOf.has(passedOver) && (weekday + 6) % 7 === wish.weekday) {
      // The calendar had no such day: it is told as one that is late.
      const [atMs, endMs] = [begin, end + 1].map((at) => fromMs + at * MINUTE_MS)
      all.push({date: passedOver, atMs: atMs ?? 0, endMs: endMs ?? 0})
    }
    if (!isWished(wish, weekday)) continue
    let at = begin
    while (at <= end && (walls[at]?.date !== date || (walls[at]?.minute ?? 0) < wish.minute))
      at += 1
    // Clocks may pass over its minute and the rest of the day.
    if (at > end) at = end + 1
    const late = wish.every === 'week' ? (lastOf.get(next) ?? end) : end
    all.push({date, atMs: fromMs + at * MINUTE_MS, endMs: fromMs + (late + 1) * MINUTE_MS})
  }
  return all
}

function dayBefore(date: string): string {
  return new Date(Date.parse(date) - 24 * 60 * MINUTE_MS).toISOString().slice(0, 10)
}
