/** Asked before a piece of work: nothing while this turn of the event loop has time, else what to wait for. */
export type TimeSlices = () => Promise<void> | undefined

/** All streams together take so much of one turn of the event loop; what a piece takes at most comes on top. */
const SLICE_MS = 10

/**
 * Frames come by the thousand in one chunk, and are handled without waiting for anything: unless somebody gives the
 * event loop back, nothing else happens until the last. All streams of a process share this: whoever finds the time of
 * a turn used up goes on in a later one, in the order of asking, so that many streams take no more of it than one.
 */
export function createTimeSlices({
  nowMs = () => performance.now(),
  nextTurn = (callback: () => void): void => void setImmediate(callback),
} = {}): TimeSlices {
  const waiting: (() => void)[] = []
  /** Of this turn; `undefined`: nobody has asked in it yet. */
  let endsMs: number | undefined

  const begin = (): number => {
    nextTurn(onTurn)
    endsMs = nowMs() + SLICE_MS
    return endsMs
  }

  const onTurn = (): void => {
    endsMs = undefined
    if (waiting.length > 0) goOn(begin())
  }

  /** One after the other: the next when all is done that the one before could do without waiting. */
  const goOn = (untilMs: number): void => {
    const next = nowMs() < untilMs ? waiting.shift() : undefined
    if (next === undefined) return
    next()
    queueMicrotask(() => process.nextTick(goOn, untilMs))
  }

  return () => {
    const untilMs = endsMs ?? begin()
    return nowMs() < untilMs ? undefined : new Promise((resolve) => waiting.push(resolve))
  }
}

/** Every frame in a turn that has time for it. */
export async function* inSlices<Frame>(
  frames: AsyncIterable<Frame>,
  turns: TimeSlices,
  signal: AbortSignal,
): AsyncGenerator<Frame, void> {
  for await (const frame of frames) {
    const turn = turns()
    if (turn !== undefined) {
      await turn
      if (signal.aborted) return
    }
    yield frame
  }
}
