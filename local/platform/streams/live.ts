import {encodeEvent, type LiveEvent} from './frames.ts'

/** What is going on in a thread or a task right now; none of it outlives the process. */
interface LiveState {
  /** The number of the run in progress. */
  run: number | undefined
  /** The number of the turn in progress. */
  turn: number | undefined
  /** Frames of calls of this turn that have no entry yet: what a late reader gets to see of it. */
  previews: {callId: string; frame: string}[]
  /** The characters of all previews. */
  previewLength: number
  /** The turn has grown too large to be replayed. Section 6.3, rule 5. */
  isTooLarge: boolean
}

type Listener = (event: LiveEvent, frame: string) => void

/**
 * Carries what happens in threads and tasks to whoever reads their streams. The owner is the thread or the
 * task whose stream it is.
 */
export interface Live {
  publish(ownerId: string, event: LiveEvent): void
  state(ownerId: string): Readonly<LiveState>
  /** Answers the function that leaves again. */
  join(ownerId: string, listener: Listener): () => void
}

interface Channel {
  state: LiveState
  listeners: Set<Listener>
}

export function createLive(): Live {
  const channels = new Map<string, Channel>()
  let lastNumber = 0
  const nextNumber = (): number => ++lastNumber
  const open = (ownerId: string): Channel => {
    const found = channels.get(ownerId)
    if (found !== undefined) return found
    const channel = {state: createState(), listeners: new Set<Listener>()}
    channels.set(ownerId, channel)
    return channel
  }
  // What rests and is read by nobody costs no memory.
  const forget = (ownerId: string, {state, listeners}: Channel): void => {
    if (state.run === undefined && listeners.size === 0) channels.delete(ownerId)
  }
  return {
    publish: (ownerId, event) => {
      const channel = open(ownerId)
      const frame = encodeEvent(ownerId, event)
      apply(channel.state, event, frame, nextNumber)
      for (const listener of [...channel.listeners]) listener(event, frame)
      forget(ownerId, channel)
    },
    state: (ownerId) => channels.get(ownerId)?.state ?? createState(),
    join: (ownerId, listener) => {
      const channel = open(ownerId)
      channel.listeners.add(listener)
      return () => {
        channel.listeners.delete(listener)
        if (channels.get(ownerId) === channel) forget(ownerId, channel)
      }
    },
  }
}

/** What the previews of one turn may hold, in characters; also the most that one preview may have. */
export const MAX_PREVIEW_LENGTH = 1024 * 1024

function createState(): LiveState {
  return {run: undefined, turn: undefined, ...NO_PREVIEWS()}
}

const NO_PREVIEWS = (): Pick<LiveState, 'previews' | 'previewLength' | 'isTooLarge'> => ({
  previews: [],
  previewLength: 0,
  isTooLarge: false,
})

function apply(state: LiveState, event: LiveEvent, frame: string, nextNumber: () => number): void {
  switch (event.kind) {
    case 'run':
      state.run = event.phase === 'start' ? nextNumber() : undefined
      break
    case 'turn':
      state.turn = event.phase === 'start' ? nextNumber() : undefined
      Object.assign(state, NO_PREVIEWS())
      break
    case 'assistant':
    case 'toolCall':
      keepPreview(state, event.callId, frame)
      break
    case 'entry':
      if (event.entry.settles !== null) dropPreviews(state, event.entry.settles)
      break
    case 'status':
    case 'task':
    case 'raw':
    case 'error':
    case 'cut':
    case 'rest':
      break
  }
}

function keepPreview(state: LiveState, callId: string, frame: string): void {
  // Outside a turn there is nothing to replay.
  if (state.turn === undefined || state.isTooLarge) return
  state.previewLength += frame.length
  if (state.previewLength <= MAX_PREVIEW_LENGTH) state.previews.push({callId, frame})
  else Object.assign(state, NO_PREVIEWS(), {isTooLarge: true})
}

function dropPreviews(state: LiveState, callId: string): void {
  const left = state.previews.filter((preview) => preview.callId !== callId)
  if (left.length === state.previews.length) return
  state.previews = left
  state.previewLength = left.reduce((sum, {frame}) => sum + frame.length, 0)
}
