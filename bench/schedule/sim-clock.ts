import type {Clock} from '../../src/async/clock.ts'

/** Time that jumps from one event to the next, however many there are. */
export interface SimClock extends Clock {
  at(ms: number, callback: () => void): void
  /** Lets everything happen until nothing is left, or until then. */
  run(untilMs: number): Promise<void>
}

interface Event {
  atMs: number
  order: number
  callback: (() => void) | undefined
}

export function createSimClock(): SimClock {
  const heap: Event[] = []
  let nowMs = 0
  let order = 0

  const isBefore = (a: Event, b: Event): boolean =>
    a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

  const push = (event: Event): void => {
    let index = heap.push(event) - 1
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || isBefore(parent, event)) break
      heap[index] = parent
      index = above
    }
    heap[index] = event
  }

  const pop = (): Event | undefined => {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let index = 0
    for (;;) {
      const left = heap[2 * index + 1]
      const right = heap[2 * index + 2]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (child === undefined || isBefore(last, child)) break
      heap[index] = child
      index = 2 * index + (isRight ? 2 : 1)
    }
    heap[index] = last
    return first
  }

  const add = (atMs: number, callback: () => void): Event => {
    const event: Event = {atMs: Math.max(nowMs, atMs), order: (order += 1), callback}
    push(event)
    return event
  }

  return {
    nowMs: () => nowMs,
    dateMs: () => nowMs,
    after: (ms, callback) => {
      const event = add(nowMs + ms, callback)
      return () => (event.callback = undefined)
    },
    at: (ms, callback) => void add(ms, callback),
    run: async (untilMs) => {
      for (let event = heap[0]; event !== undefined && event.atMs <= untilMs; event = heap[0]) {
        pop()
        if (event.callback === undefined) continue
        nowMs = event.atMs
        event.callback()
        // What was granted goes on in a promise.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    },
  }
}
