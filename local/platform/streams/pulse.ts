import type {Clock} from '../clock.ts'
import type {Reader} from './reader.ts'

/** The one timer of all streams: heartbeats (section 6.2) and the check of their keys (section 5.6). */
export interface Pulse extends Disposable {
  readonly size: number
  /** Starts a reader and looks after it until it closes. */
  open(start: (onClose: () => void) => Reader): void
  /** Ends all streams as a restarting server does. */
  endAll(): void
}

interface PulseOptions {
  clock: Clock
  intervalMs: number
  isActive: (key: string) => boolean
}

const TICKS_PER_INTERVAL = 15

export function startPulse({clock, intervalMs, isActive}: PulseOptions): Pulse {
  /** The tick at which the key of each reader was checked last. */
  const readers = new Map<Reader, number>()
  // A tick early rather than late: clients count on a sign of life within the interval.
  const ticksBetween = TICKS_PER_INTERVAL - 1
  const tickMs = intervalMs / TICKS_PER_INTERVAL
  let tick = 0
  const onTick = (): void => {
    tick += 1
    const due = [...readers].filter(([, checkedAt]) => tick - checkedAt >= ticksBetween)
    for (const [reader] of due) readers.set(reader, tick)
    checkKeys(
      due.map(([reader]) => reader),
      isActive,
    )
    const nowMs = clock.nowMs()
    for (const reader of readers.keys()) reader.beat(nowMs, ticksBetween * tickMs)
    cancel = clock.after(tickMs, onTick)
  }
  let cancel = clock.after(tickMs, onTick)
  return {
    get size() {
      return readers.size
    },
    open: (start) => {
      // A reader may close while it starts: an archived thread has nothing more to say.
      const stream: {reader?: Reader; closed: boolean} = {closed: false}
      stream.reader = start(() => {
        stream.closed = true
        if (stream.reader !== undefined) readers.delete(stream.reader)
      })
      if (!stream.closed) readers.set(stream.reader, tick)
    },
    endAll: () => {
      for (const reader of [...readers.keys()]) reader.end()
    },
    [Symbol.dispose]: () => cancel(),
  }
}

/** Asks once for each key, however many streams it has open. */
function checkKeys(readers: readonly Reader[], isActive: (key: string) => boolean): void {
  for (const [key, ofKey] of Map.groupBy(readers, (reader) => reader.key)) {
    if (isActive(key)) continue
    for (const reader of ofKey) reader.fail('unauthorized', 'The API key is no longer valid.')
  }
}
