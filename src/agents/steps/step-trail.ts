import {createMemory} from '../../async/memory.ts'
import type {Link} from '../../store/tables/work/link.ts'

/** A cursor, and about when the transcript ended there. */
export interface Mark {
  cursor: string
  atMs: number
}

/**
 * Where transcripts can be read from: they page forward alone, so that whoever asks for the end of a long one needs a cursor
 * that is near it. What is learnt of a thread is remembered while it has room, and lost with the process.
 */
export interface StepTrail {
  /** The link's cursor moves with its steps: every so many of them are noted. */
  note(link: Pick<Link, 'cursor' | 'steps' | 'threadId'>): void
  keep(threadId: string, mark: Mark): void
  drop(threadId: string, cursor: string): void
  /** Newest first. */
  of(threadId: string): readonly Mark[]
}

interface Trail {
  /** Oldest first. */
  marks: readonly Mark[]
  /** When the last of them was noted. */
  steps: number
}

const MAX_THREADS = 500
const MAX_MARKS = 300
/** A longer cursor is not worth its room. */
const MAX_CURSOR = 300
const STEPS_APART = 20

export function createStepTrail({nowMs}: {nowMs: () => number}): StepTrail {
  const trails = createMemory<Trail>({most: MAX_THREADS})

  const keep = (threadId: string, mark: Mark, steps?: number): void => {
    const before = trails.of(threadId) ?? {marks: [], steps: 0}
    const isKnown = before.marks.some(({cursor}) => cursor === mark.cursor)
    const all = isKnown || mark.cursor.length > MAX_CURSOR ? before.marks : [...before.marks, mark]
    const sorted = all.toSorted((one, other) => one.atMs - other.atMs)
    trails.keep(threadId, {marks: thinned(sorted), steps: steps ?? before.steps})
  }

  return {
    note: ({cursor, steps, threadId}) => {
      if (cursor === undefined || threadId === undefined) return
      if (steps - (trails.of(threadId)?.steps ?? 0) < STEPS_APART) return
      keep(threadId, {cursor, atMs: nowMs()}, steps)
    },
    keep: (threadId, mark) => keep(threadId, mark),
    drop: (threadId, cursor) => {
      const trail = trails.of(threadId)
      if (trail === undefined) return
      trails.keep(threadId, {...trail, marks: trail.marks.filter((one) => one.cursor !== cursor)})
    },
    of: (threadId) => trails.of(threadId)?.marks.toReversed() ?? [],
  }
}

/** Every second one, the oldest and the newest among them, leads everywhere, too, with some more calls. */
function thinned(marks: readonly Mark[]): readonly Mark[] {
  if (marks.length <= MAX_MARKS) return marks
  return marks.filter((_, at) => at % 2 === 0 || at === marks.length - 1)
}
