import {Cron} from 'croner'

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

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', {timeZone: name})
    return name !== ''
  } catch {
    return false
  }
}
