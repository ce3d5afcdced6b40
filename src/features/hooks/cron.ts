import {Cron} from 'croner'
import type {Schedule} from '../../store/tables/hooks/timetables.ts'

/** When a schedule runs, or what is wrong with it. */
type CronReading =
  | {nextMs: number}
  | {problem: 'fields' | 'zone' | 'never'}
  /** That word is none of that field. */
  | {problem: 'wrong'; word: string; field: string}

const FIVE = /^\S+(?: +\S+){4}$/
const FIELDS = ['minute', 'hour', 'day', 'month', 'weekday']
const EVERY_MINUTE = FIELDS.map(() => '*')

/** Five fields, read in a time zone (an IANA name). The platform says the last word on what it takes. */
export function readCron(cron: string, zone: string, nowMs: number): CronReading {
  if (!FIVE.test(cron)) return {problem: 'fields'}
  if (!isZone(zone)) return {problem: 'zone'}
  const next = nextOf(cron, zone, nowMs)
  if (next === null) return {problem: 'never'}
  if (next !== undefined) return {nextMs: next.getTime()}
  const words = cron.split(/ +/)
  const at = words.findIndex((word, index) => {
    return nextOf(EVERY_MINUTE.with(index, word).join(' '), zone, nowMs) === undefined
  })
  return {problem: 'wrong', word: words[at] ?? cron, field: FIELDS[at] ?? 'schedule'}
}

/** `null`: it never comes up; `undefined`: it is no schedule. */
function nextOf(cron: string, zone: string, nowMs: number): Date | null | undefined {
  try {
    const schedule = new Cron(cron, {timezone: zone, paused: true, mode: '5-part'})
    return schedule.nextRun(new Date(nowMs))
  } catch {
    return undefined
  }
}

/** One schedule a line: five fields, and behind them a time zone unless it is `zone`. */
export function readSchedules(text: string, zone: string): Schedule[] {
  return text.split('\n').flatMap((line) => {
    const words = line.split(/\s+/).filter((word) => word !== '')
    if (words.length === 0) return []
    const last = words.at(-1) ?? ''
    const hasZone = words.length === 6 && (last.includes('/') || isZone(last))
    return [
      hasZone
        ? {cron: words.slice(0, -1).join(' '), zone: last}
        : {cron: words.join(' '), zone: zone.trim() || 'UTC'},
    ]
  })
}

/** The next moment of any of them; `undefined`: there is none. */
export function nextMoment(schedules: readonly Schedule[], nowMs: number): number | undefined {
  const times = schedules.flatMap(({cron, zone}) => {
    const read = readCron(cron, zone, nowMs)
    return 'nextMs' in read ? [read.nextMs] : []
  })
  return times.length === 0 ? undefined : Math.min(...times)
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', {timeZone: name})
    return name !== ''
  } catch {
    return false
  }
}
