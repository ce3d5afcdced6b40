/**
 * What clocks on the wall show, by time zones as IANA names them; one that nobody knows counts as UTC. Times are
 * milliseconds since 1970, days are written as `2026-01-31`. Pure.
 */

import {createMemory} from '../async/memory.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What a clock and a calendar show. */
interface Shown {
  date: string
  /** Since the midnight that it shows. */
  minute: number
}

export function shownAt(atMs: number, zone: string): Shown {
  const here = atMs + offsetMs(atMs, zone)
  const minute = Math.floor((here - Math.floor(here / DAY_MS) * DAY_MS) / MINUTE_MS)
  return {date: toDate(here), minute}
}

/** So many days behind another one, or before it. */
export function daysFrom(date: string, days: number): string {
  return toDate(Date.parse(date) + days * DAY_MS)
}

/** 0 is Sunday. */
export function weekdayOf(date: string): number {
  return new Date(date).getUTCDay()
}

/**
 * The first instant at which they show this, or more: of an hour that comes twice the first one, and where they pass over it
 * the end of the gap.
 */
export function firstShownMs({date, minute}: Shown, zone: string): number {
  const shownMs = Date.parse(date) + minute * MINUTE_MS
  // Nowhere are clocks further from UTC than that: before the one and after the other no change matters.
  const before = shownMs - offsetMs(shownMs - 15 * HOUR_MS, zone)
  const after = shownMs - offsetMs(shownMs + 15 * HOUR_MS, zone)
  const shows = (atMs: number): boolean => atMs + offsetMs(atMs, zone) === shownMs
  const found = [before, after].toSorted((a, b) => a - b).find(shows)
  if (found !== undefined) return found
  // In between the clocks jump: in front of it they show less.
  let [early, late] = [Math.min(before, after), Math.max(before, after)]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (middle + offsetMs(middle, zone) < shownMs) early = middle
    else late = middle
  }
  return late
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

/** Whether there is one of this name. */
export function isZone(name: string): boolean {
  return /^[A-Za-z][\w+/-]{1,60}$/.test(name) && makeFormat(name) !== undefined
}

function toDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 'YYYY-MM-DD'.length)
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
