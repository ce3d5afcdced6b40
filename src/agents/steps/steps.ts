import {createHash} from 'node:crypto'
import type {PlatformClient} from '../../platform/client.ts'
import {PlatformRefused} from '../../platform/errors.ts'
import type {Entry} from '../../platform/model.ts'
import type {Link} from '../../store/tables/work/link.ts'
import type {SendStore} from '../../store/tables/work/sends.ts'
import type {Mark, StepTrail} from './step-trail.ts'

/** In front of this entry of a transcript. */
export interface Spot {
  /** Of its id. */
  mark: string
  /** When it was written; `undefined`: the platform does not say. */
  atMs: number | undefined
}

/** What an agent did with its tools, as far as it was read. */
export interface StepsPage {
  /** Newest first. */
  steps: Entry[]
  /** In front of which earlier ones may stand; `undefined`: there are none. */
  earlier: Spot | undefined
  /** Until when the transcript was read, where that had to end before what was looked for. */
  readUntilMs: number | undefined
  isCut: boolean
}

interface StepsOptions {
  trail: StepTrail
  sends: Pick<SendStore, 'cursorsOf'>
}

interface Asked {
  link: Pick<Link, 'id' | 'attempt' | 'cursor'> & {threadId: string}
  /** `undefined`: the newest ones. */
  before: Spot | undefined
  client: Pick<PlatformClient, 'listMessages'>
}

/** Where reading can begin. */
interface Start {
  /** `undefined`: the transcript’s beginning. */
  cursor: string | undefined
  atMs: number
}

/** What stands behind a start. `past`: what it should end in front of does not stand behind it. */
interface Stretch {
  end: 'met' | 'past' | 'cut' | 'stale'
  /** The last ones, oldest first: one more than a page holds, if there are so many. */
  steps: Entry[]
  first: Entry | undefined
  lastMs: number
  calls: number
}

export const STEPS_PER_PAGE = 20
/** One press costs so many calls at most, each of so many entries. */
const MAX_CALLS = 20
const PER_CALL = 200

/**
 * Reads a page of tool steps, the newest first. A transcript pages forward alone: so it is read from a cursor near the end of
 * what is wanted, and from an earlier one if too little stands there, until a page is full or the calls are used up.
 * Whatever cursors are met on the way are remembered, so that the next press begins nearer.
 *
 * @throws {PlatformError}
 */
export function createStepsReader({trail, sends}: StepsOptions) {
  const startsOf = async ({link, before}: Asked): Promise<Start[]> => {
    const {id, threadId, cursor, attempt} = link
    const now = cursor === undefined ? [] : [{cursor, atMs: Infinity}]
    // What was sent before it was tried again went to another thread.
    const sent = attempt === 0 ? await sends.cursorsOf(id) : []
    const marks = [...now, ...trail.of(threadId), ...sent]
    const known = new Map<string, Mark>()
    for (const mark of marks) if (!known.has(mark.cursor)) known.set(mark.cursor, mark)
    const latest = before?.atMs ?? Infinity
    const near = [...known.values()].filter(({atMs}) => before === undefined || atMs <= latest)
    const sorted = near.toSorted((one, other) => other.atMs - one.atMs)
    return [...sorted, {cursor: undefined, atMs: -Infinity}]
  }

  const readStretch = async (
    {link: {threadId}, before, client}: Asked,
    start: Start,
    mostCalls: number,
    signal: AbortSignal,
  ): Promise<Stretch> => {
    /** Behind the page that is read now. */
    const behind: {cursor: string | null; calls: number} = {cursor: null, calls: 0}
    let first: Entry | undefined
    let lastMs = start.atMs
    let steps: Entry[] = []
    const keep = (): void => {
      if (behind.cursor && Number.isFinite(lastMs))
        trail.keep(threadId, {cursor: behind.cursor, atMs: lastMs})
    }
    const onPage = (cursor: string | null): void => {
      // What was read up to now leads up to it.
      keep()
      behind.cursor = cursor
      behind.calls += 1
    }
    const paging = {limit: PER_CALL, maxPages: mostCalls, onPage}
    const end = (how: Stretch['end']): Stretch => ({
      ...{end: how, steps, first, lastMs, calls: behind.calls},
    })
    try {
      for await (const entry of client.listMessages(threadId, start.cursor, signal, paging)) {
        if (before !== undefined && markOf(entry) === before.mark) return end('met')
        const atMs = msOf(entry)
        if (before?.atMs !== undefined && atMs !== undefined && atMs > before.atMs)
          return end('past')
        first ??= entry
        lastMs = atMs ?? lastMs
        if (entry.source === 'tool') steps = [...steps, entry].slice(-STEPS_PER_PAGE - 1)
      }
    } catch (error) {
      const isStale = error instanceof PlatformRefused && error.status === 400
      if (!isStale || start.cursor === undefined || behind.calls > 0) throw error
      trail.drop(threadId, start.cursor)
      return {...end('stale'), calls: 1}
    }
    if (behind.calls >= mostCalls && behind.cursor) {
      keep()
      return end('cut')
    }
    return end(before === undefined ? 'met' : 'past')
  }

  return async (asked: Asked, signal: AbortSignal): Promise<StepsPage> => {
    let left = MAX_CALLS
    let best: Stretch | undefined
    let cut: Stretch | undefined
    let isWhole = false
    for (const start of await startsOf(asked)) {
      if (left <= 0) break
      const stretch = await readStretch(asked, start, left, signal)
      left -= stretch.calls
      if (stretch.end === 'cut') {
        cut = stretch
        break
      }
      if (stretch.end === 'met') best = stretch
      isWhole = start.cursor === undefined
      if (best !== undefined && best.steps.length > STEPS_PER_PAGE) break
    }
    return toPage(asked, {best, cut, isWhole})
  }
}

function toPage(
  {before}: Asked,
  {best, cut, isWhole}: {best: Stretch | undefined; cut: Stretch | undefined; isWhole: boolean},
): StepsPage {
  const all = best?.steps ?? []
  const steps = all.slice(-STEPS_PER_PAGE)
  const hasMore = all.length > steps.length || !isWhole
  // Where nothing was found, what is to be looked through begins in front of all that was.
  const oldest = steps[0] ?? best?.first
  const spot = oldest === undefined ? before : spotOf(oldest)
  return {
    steps: steps.toReversed(),
    earlier: hasMore ? spot : undefined,
    readUntilMs: cut !== undefined && Number.isFinite(cut.lastMs) ? cut.lastMs : undefined,
    isCut: steps.length === 0 && !isWhole,
  }
}

function spotOf(entry: Entry): Spot {
  return {mark: markOf(entry), atMs: msOf(entry)}
}

/** Short enough for a button, whatever an id is. */
function markOf({id}: Entry): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 16)
}

function msOf({createdAt}: Entry): number | undefined {
  const ms = Date.parse(createdAt ?? '')
  return Number.isNaN(ms) ? undefined : ms
}
