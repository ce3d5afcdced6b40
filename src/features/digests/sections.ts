import {shownStatus} from '../../platform/shown-status.ts'
import {isFailed} from '../../slack/draw/standing.ts'
import {isStopped} from '../../slack/texts.ts'
import type {Link} from '../../store/tables/work/link.ts'

/** What a channel's work comes to, in the order in which it is told. */
export const SECTIONS = ['waiting', 'failed', 'stopped', 'done', 'running'] as const
export type Section = (typeof SECTIONS)[number]

/** What has to be done about it ever since, and not what came of it in these days. */
const STANDING: readonly (Section | undefined)[] = ['waiting', 'running']

/** `undefined`: it is not told. What came to its end in a period is told for that one, and never again. */
export function sectionOf(
  link: Link,
  {sinceMs, untilMs}: {sinceMs: number; untilMs: number},
): Section | undefined {
  const section = standingOf(link)
  const {statusSinceMs: atMs} = link
  return STANDING.includes(section) || (atMs >= sinceMs && atMs < untilMs) ? section : undefined
}

function standingOf(link: Link): Section | undefined {
  const {state, status, stoppedBy, notice} = link
  // It is private somewhere else: its title too.
  if (notice?.code === 'misplaced') return undefined
  if (state === 'starting') return 'running'
  if (isFailed(link)) return 'failed'
  if (state === 'archived') return stoppedBy === undefined ? 'done' : 'stopped'
  if (state === 'ended') {
    if (stoppedBy !== undefined || notice?.code === 'stopped-early') return 'stopped'
    // What is gone, or no longer followed, has come to nothing here.
    return status === 'done' ? 'done' : undefined
  }
  const shown = shownStatus(link)
  if (isStopped({status: shown, stoppedBy})) return 'stopped'
  switch (shown) {
    case 'pending_user':
    case 'ready_for_review':
      return 'waiting'
    case 'idle':
    case 'done':
      return 'done'
    default:
      // Whatever else is said of it works or waits for something.
      return 'running'
  }
}
