import type {ServerResponse} from 'node:http'
import type {Clock} from '../clock.ts'
import type {Entries} from '../threads/entries.ts'
import {
  DONE,
  RUN_END,
  RUN_START,
  TURN_DROPPED,
  TURN_START,
  encodeEntry,
  encodeEvent,
  encodeFrame,
  type LiveEvent,
  type StateEvent,
  type StreamErrorCode,
} from './frames.ts'
import {MAX_PREVIEW_LENGTH, type Live} from './live.ts'
import {createSink, type Sink} from './sink.ts'

interface ReaderOptions {
  /** The thread or the task that is read. */
  ownerId: string
  /** The key that opened the stream; it is checked again while the stream lives. Section 5.6. */
  key: string
  /** The position after which entries are wanted; 0 is the whole transcript. */
  afterSeq: number
  untilRun: boolean
  response: ServerResponse
  clock: Clock
  live: Live
  entries: Entries
  /** How the owner stands. */
  state: () => StateEvent
  onClose: () => void
}

/** One open stream. */
export interface Reader {
  readonly key: string
  /** Sends a heartbeat when nothing was sent for so long. */
  beat(nowMs: number, silentForMs: number): void
  /** Closes with an `error` frame. */
  fail(code: StreamErrorCode, message: string): void
  /** Closes without a word, as a restarting server does. Section 6.3, rule 9. */
  end(): void
}

/** A reader and what it has been told so far; runs and turns by their numbers in `live`. */
interface Session extends ReaderOptions {
  sink: Sink
  behind: boolean
  /** The newest frame of each task that changed while the reader was behind. */
  missedTasks: Map<string, string>
  told: {
    seq: number
    /** The frame that told it. */
    state: string
    run: number | undefined
    turn: number | undefined
    droppedTurn: number | undefined
  }
}

const MAX_BUFFERED_BYTES = 1024 * 1024
const ENTRIES_PER_READ = 50

/**
 * A reader is `behind` or `live`. It starts behind: entries come from SQLite, as fast as the client takes
 * them. Once there are none left it is told the state (status, run, the turn in progress) and goes live,
 * where frames pass straight through. A client that lets 1 MiB pile up falls behind again: its turn is
 * declared dropped, live frames are lost to it, and entries come from SQLite once the client has drained.
 * A live frame too large for a preview drops the turn as well. So memory is bounded, and what was missed need not be remembered: it follows from what the reader was told.
 */
export function startReader(options: ReaderOptions): Reader {
  const {ownerId, response, live, afterSeq} = options
  const sink = createSink(response, options.clock, () => {
    leave()
    options.onClose()
  })
  const state = encodeEvent(ownerId, options.state())
  const nothing = {run: undefined, turn: undefined, droppedTurn: undefined}
  const session: Session = {
    ...options,
    sink,
    behind: true,
    missedTasks: new Map(),
    told: {seq: afterSeq, state, ...nothing},
  }
  const fail: Reader['fail'] = (code, message) => sink.close(encodeFrame('error', {code, message}))
  const guard = (work: () => void): void => {
    try {
      work()
    } catch {
      fail('internal', 'The server could not read the transcript. Connect again.')
    }
  }
  const leave = live.join(ownerId, (event, frame) => guard(() => onEvent(session, event, frame)))
  response.on('drain', () => guard(() => catchUp(session)))
  sink.write(`${state}retry: 2000\n\n`)
  guard(() => catchUp(session))
  return {
    key: options.key,
    beat: (nowMs, silentForMs) => {
      // A client that is behind has enough to read, and must not be given more.
      if (!session.behind) sink.beat(nowMs, silentForMs)
    },
    fail,
    end: () => sink.close(''),
  }
}

function catchUp(session: Session): void {
  const {sink, told, entries, ownerId} = session
  while (session.behind && !sink.isFull() && !sink.isClosed()) {
    const found = entries.after(ownerId, told.seq, ENTRIES_PER_READ)
    if (found.length === 0) goLive(session)
    for (const entry of found) {
      if (sink.isFull()) break
      sink.write(encodeEntry(entry))
      told.seq = entry.seq
    }
  }
}

function goLive(session: Session): void {
  const {sink, told, live, missedTasks, untilRun} = session
  session.behind = false
  const {run} = live.state(session.ownerId)
  const runEnded = told.run !== undefined && told.run !== run
  for (const frame of missedTasks.values()) sink.write(frame)
  missedTasks.clear()
  if (runEnded) sink.write(RUN_END)
  const state = session.state()
  tellState(session, encodeEvent(session.ownerId, state))
  if (isOver(state) || (untilRun && (runEnded || run === undefined))) {
    sink.close(DONE)
    return
  }
  if (run !== undefined && run !== told.run) sink.write(RUN_START)
  told.run = run
  tellTurn(session)
}

/** Shows what there is of the turn in progress, or that it is too large for that. Section 6.3, rule 5. */
function tellTurn({sink, told, live, ownerId}: Session): void {
  const {turn, previews, isTooLarge} = live.state(ownerId)
  if (turn === undefined || turn === told.droppedTurn) return
  sink.write(TURN_START)
  if (isTooLarge) {
    told.droppedTurn = turn
    sink.write(TURN_DROPPED)
    return
  }
  told.turn = turn
  for (const {frame} of previews) sink.write(frame)
}

function tellState({sink, told}: Session, frame: string): void {
  if (told.state !== frame) sink.write(frame)
  told.state = frame
}

/** Whether the server closes the stream after this. Section 6.2, `done`. */
function isOver(state: StateEvent): boolean {
  if (state.kind === 'status') return state.status === 'archived'
  return state.task.status === 'done' || state.task.archived
}

function onEvent(session: Session, event: LiveEvent, frame: string): void {
  const {sink, missedTasks} = session
  if (!session.behind && sink.bufferedBytes() > MAX_BUFFERED_BYTES) fallBehind(session)
  if (event.kind === 'cut' || event.kind === 'error') sink.close(frame)
  else if (!session.behind) pass(session, event, frame)
  else if (event.kind === 'task' && event.task.taskId !== session.ownerId) {
    missedTasks.set(event.task.taskId, frame)
  }
}

function fallBehind(session: Session): void {
  session.behind = true
  dropTurn(session)
}

function dropTurn({told, sink}: Session): void {
  if (told.turn === undefined) return
  told.droppedTurn = told.turn
  told.turn = undefined
  sink.write(TURN_DROPPED)
}

type PassingEvent = Exclude<LiveEvent, {kind: 'cut' | 'error'}>

function pass(session: Session, event: PassingEvent, frame: string): void {
  const {sink, told, live, ownerId, untilRun} = session
  switch (event.kind) {
    case 'entry':
      told.seq = event.entry.seq
      sink.write(frame)
      break
    case 'status':
      passState(session, event, frame)
      break
    case 'task':
      if (event.task.taskId === ownerId) passState(session, event, frame)
      else sink.write(frame)
      break
    case 'run':
      told.run = live.state(ownerId).run
      sink.write(frame)
      break
    case 'turn':
      // The end of a turn that was declared dropped has been told already.
      if (event.phase === 'start' || told.turn !== undefined) sink.write(frame)
      told.turn = live.state(ownerId).turn
      break
    case 'assistant':
    case 'toolCall':
      if (frame.length > MAX_PREVIEW_LENGTH) dropTurn(session)
      if (told.turn !== undefined) sink.write(frame)
      break
    case 'raw':
      sink.write(frame)
      break
    case 'rest':
      if (untilRun) sink.close(DONE)
      break
  }
}

function passState(session: Session, event: StateEvent, frame: string): void {
  tellState(session, frame)
  if (isOver(event)) session.sink.close(DONE)
}
