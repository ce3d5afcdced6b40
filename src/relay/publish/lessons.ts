import type {WantedPost} from '../post.ts'
import type {Shaping} from '../posts/reply-posts.ts'

/** What this process has learnt of how Slack takes our posts, by their keys. */
export interface Lessons extends Shaping {
  /** Slack refused their formatting. */
  plain: ReadonlySet<string>
  /** Somebody deleted their first message, or it could not be changed any longer. */
  again: ReadonlySet<string>
}

export const NOTHING_LEARNT: Lessons = {
  plain: new Set(),
  again: new Set(),
  shapes: new Map(),
  noFiles: false,
}

/**
 * Slack refused this post as it was: it is shown plainer, then its whole reply in smaller parts, then as
 * a file. `undefined`: nothing is left to try.
 */
export function learnRefusal(lessons: Lessons, post: WantedPost): Lessons | undefined {
  const {key, delivery, content, draft} = post
  if (content.kind === 'file') return {...lessons, noFiles: true}
  if (content.kind !== 'say' || delivery === undefined) {
    return lessons.plain.has(key) ? undefined : learnPlain(lessons, key)
  }
  const shape = lessons.shapes.get(delivery)
  if (shape === 'file' || (shape === 'small' && lessons.noFiles)) return undefined
  if (shape === undefined && !lessons.plain.has(key)) {
    return learnPlain(lessons, key)
  }
  // No file is made of what is still written, or broke off.
  if (shape === 'small' && draft !== undefined) return undefined
  const next = shape === undefined ? 'small' : 'file'
  return {...lessons, shapes: new Map([...lessons.shapes, [delivery, next]])}
}

/** It is shown without its formatting. */
export function learnPlain(lessons: Lessons, key: string): Lessons {
  return {...lessons, plain: new Set([...lessons.plain, key])}
}

/** It stands now, plain: its next edit tries again what it should look like. */
export function unlearnPlain(lessons: Lessons, key: string): Lessons {
  if (!lessons.plain.has(key)) return lessons
  return {...lessons, plain: without(lessons.plain, new Set([key]))}
}

/** The message of this post is lost: if the post is made once more, it says so. */
export function learnLoss(lessons: Lessons, key: string): Lessons {
  return {...lessons, again: new Set([...lessons.again, key])}
}

/** What was learnt of a reply that is confirmed is of no use any more. */
export function unlearn(lessons: Lessons, delivery: string, keys: ReadonlySet<string>): Lessons {
  if (lessons === NOTHING_LEARNT) return lessons
  const shapes = new Map(lessons.shapes)
  shapes.delete(delivery)
  return {
    ...lessons,
    plain: without(lessons.plain, keys),
    again: without(lessons.again, keys),
    shapes,
  }
}

function without(all: ReadonlySet<string>, some: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...all].filter((key) => !some.has(key)))
}
