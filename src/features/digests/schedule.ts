import {isZone} from '../../inbox/zones.ts'
import type {Form} from '../../slack/incoming/form.ts'
import {ZONE_INPUT} from '../../slack/gate/zone-lookup.ts'
import {clock} from '../../slack/markup/lines.ts'
import type {Schedule} from '../../store/tables/channels/digests.ts'
import {digestTexts} from './texts.ts'

/** Blocks and actions of the form, besides that of the time zone. */
export const EVERY_INPUT = 'every'
export const TIME_INPUT = 'time'

const HALF_HOUR = 30
/** Half hours of a day, in minutes since midnight. */
export const TIMES: readonly number[] = Array.from({length: 48}, (_, index) => index * HALF_HOUR)

/** What is entered for each: `week-1` is every Monday. */
export function everyOf(schedule: Schedule): string {
  return schedule.every === 'week' ? `week-${schedule.weekday}` : schedule.every
}

/** What was entered; `undefined` for anything that the form does not offer. */
export function readSchedule({values}: Pick<Form, 'values'>): Schedule | undefined {
  const minute = TIMES.find((time) => String(time) === values.get(TIME_INPUT))
  const zone = values.get(ZONE_INPUT) ?? ''
  if (minute === undefined || !isZone(zone)) return undefined
  const said = values.get(EVERY_INPUT) ?? ''
  if (said === 'day' || said === 'workday') return {every: said, minute, zone}
  const [, weekday] = /^week-([0-6])$/.exec(said) ?? []
  return weekday === undefined ? undefined : {every: 'week', weekday: Number(weekday), minute, zone}
}

/** What can be told wrong at once. */
export function checkDigest(form: Form): Record<string, string> | undefined {
  if (readSchedule(form) !== undefined) return undefined
  const {choose, noZone} = digestTexts.form
  if (!isZone(form.values.get(ZONE_INPUT) ?? '')) return {[ZONE_INPUT]: noZone}
  const hasTime = TIMES.some((time) => String(time) === form.values.get(TIME_INPUT))
  return {[hasTime ? EVERY_INPUT : TIME_INPUT]: choose}
}

/** `from Monday to Friday at 09:00 (Europe/Berlin)`. */
export function scheduleText(schedule: Schedule): string {
  const {minute, zone} = schedule
  return digestTexts.at(everyText(schedule), clock(minute), zone)
}

export function everyText(schedule: Pick<Schedule, 'every'> & {weekday?: number}): string {
  const {every, weekday = 0} = schedule
  const {day, workday, week} = digestTexts.every
  switch (every) {
    case 'day':
      return day
    case 'workday':
      return workday
    case 'week':
      return week(digestTexts.weekdays[weekday] ?? '')
    default:
      throw new Error(`Unknown digest: ${String(every satisfies never)}`)
  }
}
