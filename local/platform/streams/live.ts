import {encodeEvent, type ThreadEvent} from './frames.ts'

/** What is going on in a thread right now; none of it outlives the process. */
interface LiveState {
  /** The number of the run in progress. */
  run: number | undefined
  /** The number of the turn in progress. */
  turn: number | undefined
  /** Frames of calls of this turn that have no entry yet: what a late reader gets to see of it. */
  previews: {callId: string; frame: string}[]
}

type Listener = (event: ThreadEvent, frame: string) => void

/** Carries what happens in threads to whoever reads their streams. */
export interface Live {
  publish(threadId: string, event: ThreadEvent): void
  state(threadId: string): Readonly<LiveState>
  /** Answers the function that leaves again. */
  join(threadId: string, listener: Listener): () => void
}

interface LiveThread {
  state: LiveState
  listeners: Set<Listener>
}

export function createLive(): Live {
  const threads = new Map<string, LiveThread>()
  let lastNumber = 0
  const nextNumber = (): number => ++lastNumber
  const open = (threadId: string): LiveThread => {
    const found = threads.get(threadId)
    if (found !== undefined) return found
    const thread = {state: createState(), listeners: new Set<Listener>()}
    threads.set(threadId, thread)
    return thread
  }
  // A thread that rests and that nobody reads costs no memory.
  const forget = (threadId: string, {state, listeners}: LiveThread): void => {
    if (state.run === undefined && listeners.size === 0) threads.delete(threadId)
  }
  return {
    publish: (threadId, event) => {
      const thread = open(threadId)
      const frame = encodeEvent(threadId, event)
      apply(thread.state, event, frame, nextNumber)
      for (const listener of [...thread.listeners]) listener(event, frame)
      forget(threadId, thread)
    },
    state: (threadId) => threads.get(threadId)?.state ?? createState(),
    join: (threadId, listener) => {
      const thread = open(threadId)
      thread.listeners.add(listener)
      return () => {
        thread.listeners.delete(listener)
        if (threads.get(threadId) === thread) forget(threadId, thread)
      }
    },
  }
}

function createState(): LiveState {
  return {run: undefined, turn: undefined, previews: []}
}

function apply(
  state: LiveState,
  event: ThreadEvent,
  frame: string,
  nextNumber: () => number,
): void {
  switch (event.kind) {
    case 'run':
      state.run = event.phase === 'start' ? nextNumber() : undefined
      break
    case 'turn':
      state.turn = event.phase === 'start' ? nextNumber() : undefined
      state.previews = []
      break
    case 'assistant':
    case 'toolCall':
      state.previews.push({callId: event.callId, frame})
      break
    case 'entry':
      state.previews = state.previews.filter(({callId}) => callId !== event.entry.settles)
      break
    case 'status':
    case 'rest':
      break
  }
}
