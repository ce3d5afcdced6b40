import type {Clock} from '../clock.ts'
import {nextMoment} from './cron.ts'
import {schedulesOf} from './definition.ts'
import type {AutomationRecords, AutomationRow} from './records.ts'

/** The alarm of all automations that have a schedule: one timer, set to whichever comes first. */
interface Schedule extends Disposable {
  /** Takes in how an automation stands from now on. */
  follow(automation: AutomationRow): void
}

interface ScheduleOptions {
  clock: Clock
  records: AutomationRecords
  fire: (automation: AutomationRow) => void
}

/** Moments that passed while nobody watched are not made up for. */
export function createSchedule({clock, records, fire}: ScheduleOptions): Schedule {
  const dueMs = new Map<string, number>()
  let cancel = (): void => undefined
  const place = (automation: AutomationRow): void => {
    const next = nextOf(automation, clock.nowMs())
    if (next === undefined) dueMs.delete(automation.id)
    else dueMs.set(automation.id, next)
  }
  const arm = (): void => {
    cancel()
    const first = [...dueMs.values()].reduce((least, moment) => Math.min(least, moment), Infinity)
    if (first < Infinity) cancel = clock.after(Math.max(0, first - clock.nowMs()), ring)
  }
  const ring = (): void => {
    const nowMs = clock.nowMs()
    const due = [...dueMs].filter(([, moment]) => moment <= nowMs)
    for (const [id] of due) {
      const before = records.find(id)
      if (before !== undefined) fire(before)
      const after = records.find(id)
      if (after !== undefined) place(after)
    }
    arm()
  }
  for (const automation of records.live()) place(automation)
  arm()
  return {
    follow: (automation) => {
      place(automation)
      arm()
    },
    [Symbol.dispose]: () => cancel(),
  }
}

/** When it runs next, whichever of its schedules says so. */
function nextOf(
  {enabled, deleted, definition}: AutomationRow,
  afterMs: number,
): number | undefined {
  if (enabled === 0 || deleted === 1) return undefined
  const moments = schedulesOf(definition)
    .map((schedule) => nextMoment(schedule, afterMs))
    .filter((moment) => moment !== undefined)
  return moments.length === 0 ? undefined : Math.min(...moments)
}
