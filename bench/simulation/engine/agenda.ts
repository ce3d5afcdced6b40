import {crc32} from 'node:zlib'
import {type Program, runAs} from './program.ts'

/** Everything that is to happen, and the time at which it does. */
export interface Agenda {
  /** Since the beginning. Goes on only when nothing is left to do now. */
  nowMs(): number
  /** Happens once, as something that the program does (`undefined`: the world around it), unless that has died by then. */
  after(ms: number, act: () => void, program: Program | undefined): Entry
  /** Makes things happen until `work` is over, one at a time, each when all that the one before brought about has settled. */
  play<Result>(work: Promise<Result>): Promise<Result>
  /** What took place so far, as one number: two simulations that are the same have the same one. */
  trace(): string
  /** Something that took place. */
  note(text: string | Uint8Array): void
  events(): number
}

export interface Entry {
  cancel(): void
}

interface Planned extends Entry {
  atMs: number
  number: number
  program: Program | undefined
  act: () => void
  isCancelled: boolean
}

/** Real turns of the event loop: nothing but Node's own queues lies between two of them. */
const nextTurn = setImmediate
/** So that who looks at the clock until it has moved sees it move. */
const LOOK_MS = 0.001

export function createAgenda(): Agenda {
  const heap: Planned[] = []
  let nowMs = 0
  let count = 0
  let events = 0
  let trace = 0

  const note = (text: string | Uint8Array): void => {
    trace = crc32(text, trace)
  }

  const step = (): boolean => {
    for (;;) {
      const next = takeFirst(heap)
      if (next === undefined) return false
      if (next.isCancelled || next.program?.isDead === true) continue
      const pausedUntilMs = next.program?.pausedUntilMs ?? 0
      if (pausedUntilMs > Math.max(nowMs, next.atMs)) {
        next.atMs = pausedUntilMs
        add(heap, next)
        continue
      }
      nowMs = Math.max(nowMs, next.atMs)
      events += 1
      note(`${next.atMs.toFixed(3)} ${next.number} ${next.program?.name ?? ''}`)
      runAs(next.program, next.act)
      return true
    }
  }

  return {
    nowMs: () => (nowMs += LOOK_MS),
    after: (ms, act, program) => {
      const planned: Planned = {
        ...{atMs: nowMs + Math.max(0, ms), number: (count += 1), program, act},
        isCancelled: false,
        cancel: () => void (planned.isCancelled = true),
      }
      add(heap, planned)
      return planned
    },
    play: (work) =>
      new Promise((resolve, reject) => {
        let isOver = false
        work.then(resolve, reject).finally(() => (isOver = true))
        const turn = (): void => {
          if (isOver) return
          try {
            if (!step()) throw new Error('Nothing is left to happen, and the work is not over.')
          } catch (error) {
            isOver = true
            reject(error instanceof Error ? error : new Error(String(error)))
            return
          }
          nextTurn(turn)
        }
        nextTurn(turn)
      }),
    trace: () => trace.toString(16).padStart(8, '0'),
    note,
    events: () => events,
  }
}

function isBefore(one: Planned, other: Planned): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.number < other.number)
}

/** A binary heap: the first is in front of both that follow it, and so on. */
function add(heap: Planned[], planned: Planned): void {
  let at = heap.length
  heap.push(planned)
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = heap[above]
    if (parent === undefined || !isBefore(planned, parent)) break
    heap[at] = parent
    at = above
  }
  heap[at] = planned
}

function takeFirst(heap: Planned[]): Planned | undefined {
  const first = heap[0]
  const last = heap.pop()
  if (first === undefined || last === undefined || heap.length === 0) return first
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    const [one, other] = [heap[left], heap[left + 1]]
    if (one === undefined) break
    const isRight = other !== undefined && isBefore(other, one)
    const child = isRight ? other : one
    if (!isBefore(child, last)) break
    heap[at] = child
    at = isRight ? left + 1 : left
  }
  heap[at] = last
  return first
}
