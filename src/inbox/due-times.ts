/**
 * When somebody is reminded, in their own time zone (an IANA name; one that nobody knows counts as UTC). Times are
 * milliseconds since 1970. Pure.
 */

import {createMemory} from '../async/memory.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MORNING = 9
const SECOND_REMINDER_MS = 4 * HOUR_MS
/** A reminder that was put off does not bring the next one at once. */
const LEAST_GAP_MS = HOUR_MS / 2

/** When the reminder behind this one is due; `undefined`: silence. The first comes with the call. */
export function nextReminderMs(
  {reminders, madeAtMs}: {reminders: number; madeAtMs: number},
  nowMs: number,
  zone: string,
): number | undefined {
  if (reminders === 0) return Math.max(madeAtMs + SECOND_REMINDER_MS, nowMs + LEAST_GAP_MS)
  return reminders === 1 ? nextWorkingMorningMs(nowMs, zone) : undefined
}

/** The next 9:00 from Monday to Friday. */
function nextWorkingMorningMs(nowMs: number, zone: string): number {
  for (let days = 0; ; days += 1) {
    const date = dateOf(nowMs, zone, days)
    const weekday = new Date(date).getUTCDay()
    const atMs = morningOf(date, zone)
    if (atMs > nowMs && weekday !== 0 && weekday !== 6) return atMs
  }
}

/** 9:00 of the next day. */
export function tomorrowMorningMs(nowMs: number, zone: string): number {
  return morningOf(dateOf(nowMs, zone, 1), zone)
}

/** The first instant of the day. */
export function startOfDayMs(nowMs: number, zone: string): number {
  return instantOf(dateOf(nowMs, zone, 0), zone)
}

/** The date there, so many days from now, as its midnight in UTC. */
function dateOf(nowMs: number, zone: string, days: number): number {
  const here = nowMs + offsetMs(nowMs, zone)
  return Math.floor(here / DAY_MS) * DAY_MS + days * DAY_MS
}

function morningOf(date: number, zone: string): number {
  return instantOf(date + MORNING * HOUR_MS, zone)
}

/** What clocks there show, given as if it were UTC. The second look is for a change of the clocks in between. */
function instantOf(shownMs: number, zone: string): number {
  const guess = shownMs - offsetMs(shownMs, zone)
  return shownMs - offsetMs(guess, zone)
}

/** How far clocks there are in front of UTC. */
function offsetMs(atMs: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({type, value}) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name))
  const shownMs = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  )
  return shownMs - Math.floor(atMs / 1000) * 1000
}

/** There are some six hundred zones; their names come from outside. */
const formats = createMemory<Intl.DateTimeFormat>({most: 1000})

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.of(zone)
  if (known !== undefined) return known
  const format = makeFormat(zone) ?? formatOf('UTC')
  formats.keep(zone, format)
  return format
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  const two = '2-digit'
  const time = {hour: two, minute: two, second: two, hourCycle: 'h23'} as const
  const date = {year: 'numeric', month: two, day: two, calendar: 'gregory'} as const
  try {
    return new Intl.DateTimeFormat('en-US', {timeZone, ...date, ...time})
  } catch {
    return undefined
  }
}
