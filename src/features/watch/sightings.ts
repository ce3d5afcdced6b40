import type {Thread} from '../../platform/model.ts'
import {shownStatus} from '../../platform/shown-status.ts'
import type {AnnouncementWords, Ending} from '../../store/tables/channels/announcement.ts'
import type {Findings, Sighting} from '../../store/tables/channels/sightings.ts'
import type {Known} from '../../agents/who-may-know.ts'
import {ownOf} from '../../security/foreign-json.ts'

/** A thread as one reading met it. */
export interface Seen {
  /** What is worth calling people for; `undefined`: nothing. */
  status: string | undefined
  words: AnnouncementWords
  /** How a state ended that is none any more. */
  ending: Ending
  /** When the thread last changed, as the platform says it. */
  changedAtMs?: number
  /** Absent where it is gone. */
  thread?: Known
}

/** The states that call people, whichever vocabulary the platform speaks (section 3.1). */
const CALLING: Readonly<Record<string, string>> = {
  pending_user: 'pending_user',
  ready_for_review: 'ready_for_review',
  failed: 'failed',
  error: 'failed',
}

/** Every word by which the platform can be asked for one of them. */
export const CALLING_STATUSES = Object.keys(CALLING)

/** What has become of work that calls nobody any more; whatever else it says, it goes on. */
const ENDINGS: Readonly<Record<string, Ending>> = {archived: 'archived', idle: 'done'}

export function toSeen(thread: Thread, author: string | undefined): Seen {
  const {title, updatedAt, lastActivityAt} = thread
  const shown = shownStatus(thread)
  return {
    status: ownOf(CALLING, shown),
    words: {...(title !== undefined && {title}), ...(author !== undefined && {author})},
    ending: ownOf(ENDINGS, shown) ?? 'answered',
    ...latest(updatedAt, lastActivityAt),
    thread,
  }
}

function latest(...dates: (string | undefined)[]): Pick<Seen, 'changedAtMs'> {
  const times = dates.map((date) => Date.parse(date ?? '')).filter((time) => !Number.isNaN(time))
  return times.length === 0 ? {} : {changedAtMs: Math.max(...times)}
}

/**
 * What a reading says beyond the one before it. A thread that was in a state, and of which the reading does not
 * say, stays as it was, and is not announced by it. Pure.
 */
export function compare(
  known: ReadonlyMap<string, Sighting>,
  reading: ReadonlyMap<string, Seen>,
): Findings {
  const changed: Sighting[] = []
  const ended = new Map<string, Ending>()
  const standing = new Map<string, {status: string; words: AnnouncementWords}>()
  const changedAtMs = new Map<string, number>()
  for (const [threadId, {status, words, ending, ...seen}] of reading) {
    const before = known.get(threadId)
    if (seen.changedAtMs !== undefined) changedAtMs.set(threadId, seen.changedAtMs)
    if (status === undefined) {
      if (before !== undefined) ended.set(threadId, ending)
      continue
    }
    const isSame = before?.status === status
    if (isSame) standing.set(threadId, {status, words})
    if (!isSame) changed.push({threadId, status, times: 1})
    else if (before.times < 2) changed.push({threadId, status, times: 2})
  }
  return {changed, ended, standing, changedAtMs}
}
