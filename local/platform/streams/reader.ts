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
  encodeFrame,
  type ThreadEvent,
} from './frames.ts'
import type {Live} from './live.ts'
import {createSink, type Sink} from './sink.ts'

interface ReaderOptions {
  threadId: string
  /** The key that opened the stream; it is checked again while the stream lives. Section 5.6. */
  key: string
  /** The position after which entries are wanted; 0 is the whole transcript. */
  afterSeq: number
  untilRun: boolean
  response: ServerResponse
  clock: Clock
  live: Live
  entries: Entries
  status: () => string
  onClose: () => void
}

/** One open stream. */
export interface Reader {
  readonly key: string
  /** Sends a heartbeat when nothing was sent for so long. */
  beat(nowMs: number, silentForMs: number): void
  /** Closes with an `error` frame. */
  fail(code: 'unauthorized' | 'internal', message: string): void
  /** Closes without a word, as a restarting server does. Section 6.3, rule 9. */
  end(): void
}

/** A reader and what it has been told so far; runs and turns by their numbers in `live`. */
interface Session extends ReaderOptions {
  sink: Sink
  behind: boolean
  told: {
    seq: number
    status: string
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
 * So memory is bounded, and what was missed need not be remembered: it follows from what the reader was told.
 */
export function startReader(options: ReaderOptions): Reader {
  const {threadId, response, live, afterSeq} = options
  const sink = createSink(response, options.clock, () => {
    leave()
    options.onClose()
  })
  const status = options.status()
  const nothing = {run: undefined, turn: undefined, droppedTurn: undefined}
  const session: Session = {
    ...options,
    sink,
    behind: true,
    told: {seq: afterSeq, status, ...nothing},
  }
  const fail: Reader['fail'] = (code, message) => sink.close(encodeFrame('error', {code, message}))
  const guard = (work: () => void): void => {
    try {
      work()
    } catch {
      fail('internal', 'The server could not read the thread. Connect again.')
    }
  }
  const leave = live.join(threadId, (event, frame) => guard(() => onEvent(session, event, frame)))
  response.on('drain', () => guard(() => catchUp(session)))
  sink.write(`${encodeFrame('status', {threadId, status})}retry: 2000\n\n`)
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
  const {sink, told, entries, threadId} = session
  while (session.behind && !sink.isFull() && !sink.isClosed()) {
    const found = entries.after(threadId, told.seq, ENTRIES_PER_READ)
    if (found.length === 0) goLive(session)
    for (const entry of found) {
      if (sink.isFull()) break
      sink.write(encodeEntry(entry))
      told.seq = entry.seq
    }
  }
}

function goLive(session: Session): void {
  const {sink, told, live, untilRun} = session
  session.behind = false
  const {run, turn, previews} = live.state(session.threadId)
  const runEnded = told.run !== undefined && told.run !== run
  if (runEnded) sink.write(RUN_END)
  tellStatus(session, session.status())
  if (told.status === 'archived' || (untilRun && (runEnded || run === undefined))) {
    sink.close(DONE)
    return
  }
  if (run !== undefined && run !== told.run) sink.write(RUN_START)
  told.run = run
  if (turn === undefined || turn === told.droppedTurn) return
  told.turn = turn
  sink.write(TURN_START)
  for (const {frame} of previews) sink.write(frame)
}

function tellStatus({sink, told, threadId}: Session, status: string): void {
  if (told.status !== status) sink.write(encodeFrame('status', {threadId, status}))
  told.status = status
}

function onEvent(session: Session, event: ThreadEvent, frame: string): void {
  if (!session.behind && session.sink.bufferedBytes() > MAX_BUFFERED_BYTES) fallBehind(session)
  if (!session.behind) pass(session, event, frame)
}

function fallBehind(session: Session): void {
  const {told, sink} = session
  session.behind = true
  if (told.turn === undefined) return
  told.droppedTurn = told.turn
  told.turn = undefined
  sink.write(TURN_DROPPED)
}

function pass(session: Session, event: ThreadEvent, frame: string): void {
  const {sink, told, live, threadId, untilRun} = session
  switch (event.kind) {
    case 'entry':
      told.seq = event.entry.seq
      sink.write(frame)
      break
    case 'status':
      tellStatus(session, event.status)
      if (event.status === 'archived') sink.close(DONE)
      break
    case 'run':
      told.run = live.state(threadId).run
      sink.write(frame)
      break
    case 'turn':
      // The end of a turn that was declared dropped has been told already.
      if (event.phase === 'start' || told.turn !== undefined) sink.write(frame)
      told.turn = live.state(threadId).turn
      break
    case 'assistant':
    case 'toolCall':
      if (told.turn !== undefined) sink.write(frame)
      break
    case 'rest':
      if (untilRun) sink.close(DONE)
      break
  }
}
