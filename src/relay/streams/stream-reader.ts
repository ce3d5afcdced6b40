import type {Frame} from '../../platform/stream/frame.ts'

export interface Limits {
  maxFrames: number
  maxChars: number
}

/**
 * One reader of a stream that several share.
 *
 * `in step ⇄ apart`. In step, the stream's entries are its own next ones. `apart`: it is not known whether an entry
 * of the stream is behind its cursor, so it learns by paging which ones are. It is apart when it joins a stream of
 * another cursor, and when it read so slowly that frames were dropped.
 */
export interface Follower {
  /** Behind the last entry that it has read. */
  cursor(): string | undefined
  keepStep(): void
  take(frame: Frame): void
  hasRoom(): boolean
  end(failure: Error | undefined): void
  wake(): void
  /** Resolves when there may be something to read. */
  news(): Promise<void>
  /** The next frame. */
  shift(): Frame | undefined
  /** The reader is done with this frame. */
  passed(frame: Frame): void
  mustCatchUp(): boolean
  /** Paging starts now: what came until now is behind its cursor if it is in the pages. Answers how much that is. */
  startPaging(): number
  /** These entries were paged. Back in step, or else as it was. */
  settle(pagedIds: ReadonlySet<string>, before: number): void
  /** Paging failed: it has to be done again. */
  markStale(): void
  /** Its cursor is refused: it starts from the beginning. */
  rewind(): void
  /** Nothing more will come; `failure`: why, when the stream did not end by itself. */
  ending(): {failure: Error | undefined} | undefined
}

const DROPPED: Frame = {type: 'turn', phase: 'end', outcome: 'dropped'}

export function createFollower(start: string | undefined, limits: Limits): Follower {
  let cursor = start
  let buffer: Frame[] = []
  let chars = 0
  let isInStep = false
  /** There are entries that it may not have. */
  let isStale = true
  /** Frames were dropped, and the reader has not been back since. */
  let isLost = false
  /** Of what was dropped the newest status: no page brings it again. */
  let status: Frame | undefined
  /** It has seen the turn in progress from its start. */
  let seesLive = false
  let ending: {failure: Error | undefined} | undefined
  let onNews: (() => void) | undefined

  const wake = (): void => {
    onNews?.()
    onNews = undefined
  }

  const hasRoom = (): boolean =>
    !isLost && buffer.length < limits.maxFrames && chars < limits.maxChars

  const take = (frame: Frame): void => {
    if (isLost && frame.type !== 'done') {
      drop(frame)
      return
    }
    if (frame.type === 'connected' || (frame.type === 'turn' && frame.phase === 'start')) {
      seesLive = true
    }
    if (!seesLive && isLive(frame)) return
    if (frame.type === 'rewound' && !isInStep) return
    if (!hasRoom() && frame.type !== 'done') {
      lose()
      drop(frame)
      return
    }
    if (frame.type === 'transcript' && !isInStep) isStale = true
    buffer.push(frame)
    chars += sizeOf(frame)
    wake()
  }

  const lose = (): void => {
    buffer.forEach(drop)
    buffer = []
    chars = 0
    isInStep = false
    isLost = true
    seesLive = false
  }

  const drop = (frame: Frame): void => {
    if (frame.type === 'status') status = frame
  }

  const shift = (): Frame | undefined => {
    const frame = buffer.shift()
    if (frame !== undefined) chars -= sizeOf(frame)
    return frame
  }

  const passed = (frame: Frame): void => {
    if (frame.type === 'rewound') cursor = undefined
    // What was paged may be behind this: until it is in step its cursor stays.
    if (frame.type === 'transcript') cursor = frame.cursor ?? cursor
  }

  const mustCatchUp = (): boolean => {
    if (isLost) {
      isLost = false
      isStale = true
      buffer.unshift(DROPPED, ...(status === undefined ? [] : [status]))
      status = undefined
    }
    return isStale && !isInStep
  }

  const startPaging = (): number => {
    isStale = false
    return buffer.length
  }

  const settle = (pagedIds: ReadonlySet<string>, before: number): void => {
    const isOwn = (frame: Frame): boolean =>
      frame.type === 'transcript' && cursor !== undefined && frame.cursor === cursor
    const meeting = buffer.findIndex(
      (frame) => isOwn(frame) || (frame.type === 'transcript' && pagedIds.has(frame.entry.id)),
    )
    if (meeting !== -1) isInStep = true
    const known = meeting === -1 ? before : meeting
    // In front of its cursor: they stand in no page.
    buffer = buffer.filter(
      (frame, index) => frame.type !== 'transcript' || (index >= known && !isOwn(frame)),
    )
    chars = buffer.reduce((sum, frame) => sum + sizeOf(frame), 0)
  }

  return {
    cursor: () => cursor,
    keepStep: () => {
      isInStep = true
      isStale = false
    },
    take,
    hasRoom,
    end: (failure) => {
      ending = {failure}
      wake()
    },
    wake,
    news: () => new Promise((resolve) => (onNews = resolve)),
    shift,
    passed,
    mustCatchUp,
    startPaging,
    settle,
    markStale: () => (isStale = true),
    rewind: () => (cursor = undefined),
    ending: () => ending,
  }
}

/** The parts of a turn in progress. Who missed its beginning waits for the next one, or its entries. */
function isLive({type}: Frame): boolean {
  return type === 'assistant' || type === 'tool_call' || type === 'turn'
}

/** In characters, as good as: the words of all other frames are short. */
function sizeOf(frame: Frame): number {
  if (frame.type === 'assistant') return 100 + frame.text.length
  if (frame.type !== 'transcript') return 100
  const {text, attachments = []} = frame.entry
  const attached = (attachments ?? []).length === 0 ? 0 : JSON.stringify(attachments).length
  return 200 + text.length + attached + (frame.cursor?.length ?? 0)
}
