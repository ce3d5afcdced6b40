import {Cron} from 'croner'

/** The moments of a cron expression, read in a time zone. Section 2.11. */
interface CronSchedule {
  cron: string
  timezone: string
}

/** Five fields, six with seconds in front, or a name such as `@daily`; a single date is no schedule. */
const SHAPE = /^\s*(?:@[a-z]+|\S+(?:\s+\S+){4,5})\s*$/i

/** What is wrong with a cron expression, in words; `undefined`: nothing. */
export function findCronMistake(cron: string): string | undefined {
  if (!SHAPE.test(cron)) return 'must have five fields, or six with seconds in front'
  try {
    // No field names a year, so what comes at all comes after any moment.
    if (nextMoment({cron, timezone: 'UTC'}, 0) === undefined)
      return 'names no moment that ever comes'
  } catch (error) {
    return `is not a cron expression (${error instanceof Error ? error.message : String(error)})`
  }
  return undefined
}

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', {timeZone: name})
  } catch {
    return false
  }
  return true
}

/** The first moment after this one, in milliseconds since 1970. A time that the zone skips comes right after the gap. */
export function nextMoment({cron, timezone}: CronSchedule, afterMs: number): number | undefined {
  const schedule = new Cron(cron.trim(), {timezone, paused: true, mode: '5-or-6-parts'})
  return schedule.nextRun(new Date(afterMs))?.getTime()
}
