/**
 * When somebody is reminded, in their own time zone (an IANA name; one that nobody knows counts as UTC). Times are
 * milliseconds since 1970. Pure.
 */

import {daysFrom, firstShownMs, shownAt, weekdayOf} from './zones.ts'

const HOUR_MS = 3_600_000
/** 9:00, in minutes. */
export const MORNING = 9 * 60
const SECOND_REMINDER_MS = 4 * HOUR_MS
/** One after the other: no reminder comes at once behind one that was put off, or shortly before nine. */
const LEAST_GAP_MS = HOUR_MS / 2

/** When the reminder behind this one is due; `undefined`: silence. The first comes with the call. */
export function nextReminderMs(
  {reminders, madeAtMs}: {reminders: number; madeAtMs: number},
  nowMs: number,
  zone: string,
): number | undefined {
  if (reminders === 0) return Math.max(madeAtMs + SECOND_REMINDER_MS, nowMs + LEAST_GAP_MS)
  return isMorningNext({reminders}) ? nextWorkingMorningMs(nowMs + LEAST_GAP_MS, zone) : undefined
}

/** The reminder behind this one comes in the morning: it alone depends on where somebody is. */
export function isMorningNext({reminders}: {reminders: number}): boolean {
  return reminders === 1
}

/** The next 9:00 from Monday to Friday behind this time. */
function nextWorkingMorningMs(afterMs: number, zone: string): number {
  for (let days = 0; ; days += 1) {
    const date = daysFrom(shownAt(afterMs, zone).date, days)
    const atMs = firstShownMs({date, minute: MORNING}, zone)
    if (atMs > afterMs && isWorkday(date)) return atMs
  }
}

/** From Monday to Friday. */
export function isWorkday(date: string): boolean {
  return ![0, 6].includes(weekdayOf(date))
}

/** 9:00 of the next day. */
export function tomorrowMorningMs(nowMs: number, zone: string): number {
  const date = daysFrom(shownAt(nowMs, zone).date, 1)
  return firstShownMs({date, minute: MORNING}, zone)
}

/** The first instant of the day. */
export function startOfDayMs(nowMs: number, zone: string): number {
  return firstShownMs({date: shownAt(nowMs, zone).date, minute: 0}, zone)
}
