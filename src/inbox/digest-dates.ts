/**
 * For which day a digest is due. A digest is for a day of the calendar where it is told, and of one day there is one, however
 * clocks jump; so that which is due follows from what they show now, and from the days that are over. Pure.
 */

import type {Schedule} from '../store/tables/channels/digests.ts'
import {isWorkday} from './due-times.ts'
import {daysFrom, firstShownMs, shownAt, weekdayOf} from './zones.ts'

/** `undefined`: none. `isOver`: the day has had its digest, or is to have none. */
export function dueDate(
  when: Schedule,
  isOver: (date: string) => boolean,
  nowMs: number,
): string | undefined {
  const {date, minute} = shownAt(nowMs, when.zone)
  // Clocks that have passed over its minute show more; those that show it twice do so for the second time when it is over.
  if (isMeant(when, date) && minute >= when.minute && !isOver(date)) return date
  // Of one that is missed others follow the next day; a week is too long to wait.
  const before = daysFrom(date, -1)
  return when.every === 'week' && isMeant(when, before) && !isOver(before) ? before : undefined
}

/** When the next one comes that is not due yet. */
export function nextDueMs(
  when: Schedule,
  isOver: (date: string) => boolean,
  nowMs: number,
): number {
  const {date: today} = shownAt(nowMs, when.zone)
  for (let days = 0; ; days += 1) {
    const date = daysFrom(today, days)
    const atMs = firstShownMs({date, minute: when.minute}, when.zone)
    if (atMs > nowMs && isMeant(when, date) && !isOver(date)) return atMs
  }
}

/** Whether a digest is for this day at all. */
function isMeant(when: Schedule, date: string): boolean {
  switch (when.every) {
    case 'day':
      return true
    case 'workday':
      return isWorkday(date)
    case 'week':
      return weekdayOf(date) === when.weekday
    default:
      throw new Error(`Unknown digest: ${JSON.stringify(when satisfies never)}`)
  }
}
