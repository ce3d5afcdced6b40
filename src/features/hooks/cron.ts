import {Cron} from 'croner'
import type {Schedule} from '../../store/tables/hooks/timetables.ts'

/** When a schedule runs, or what is wrong with it. */
type CronReading =
  | {nextMs: number}
  | {problem: 'fields' | 'zone' | 'never'}
  /** In the words of whoever read it. */
  | {problem: 'wrong'; why: string}

const FIELDS = /^\S+(?: +\S+){4}$/

/** Five fields, read in a time zone (an IANA name). The platform says the last word on what it takes. */
export function readCron(cron: string, zone: string, nowMs: number): CronReading {
  if (!FIELDS.test(cron)) return {problem: 'fields'}
  if (!isZone(zone)) return {problem: 'zone'}
  try {
    const schedule = new Cron(cron, {timezone: zone, paused: true, mode: '5-part'})
    const next = schedule.nextRun(new Date(nowMs))
    return next === null ? {problem: 'never'} : {nextMs: next.getTime()}
  } catch (error) {
    return {problem: 'wrong', why: error instanceof Error ? error.message : String(error)}
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
