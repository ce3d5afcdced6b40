import {MARKS, markOf} from '../../slack/states/mark.ts'
import type {Link} from '../../store/tables/work/link.ts'

type Outcome = 'done' | 'failed' | 'stopped'

/**
 * How work ended, for whoever waits for that; `undefined`: it goes on, or waits for somebody. `hasFailed`: that stands where it
 * rests. Pure.
 */
export function outcomeOf(link: Link, hasFailed: boolean): Outcome | undefined {
  // What its last run said may not stand in Slack yet.
  if (link.state === 'open' && link.runSinceMs !== undefined) return undefined
  const mark = markOf(link, hasFailed)
  switch (mark) {
    case MARKS.done:
      return 'done'
    case MARKS.failed:
      return 'failed'
    case MARKS.stopped:
      return 'stopped'
    case undefined:
    case MARKS.working:
    case MARKS.needsYou:
      return undefined
    default:
      throw new Error(`Unknown mark: ${String(mark satisfies never)}`)
  }
}
