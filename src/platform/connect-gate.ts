import {createBucket} from '../async/buckets.ts'
import {type Clock, systemClock} from '../async/clock.ts'

/** Lets streams connect one after the other, at a rate that a platform which has just come back can bear. */
interface ConnectGate {
  /**
   * Resolves when one more may connect; rejects with the signal's reason. Whoever is `first` passes those who
   * come `again`: somebody has just asked for that work.
   */
  enter(turn: Turn, signal: AbortSignal): Promise<void>
}

export type Turn = 'first' | 'again'

interface GateOptions {
  perSecond?: number
  /** So many may come at once after a while in which none did. */
  burst?: number
  clock?: Pick<Clock, 'nowMs' | 'after'>
}

/** Two thousand streams that broke together are back within 15 s, and a tenth of them in no second. */
const PER_SECOND = 140
const BURST = 20
/** Timers are no finer than this; what came due meanwhile goes together. */
const TICK_MS = 10

export function createConnectGate({
  perSecond = PER_SECOND,
  burst = BURST,
  clock = systemClock,
}: GateOptions = {}): ConnectGate {
  const waiting: Readonly<Record<Turn, Set<() => void>>> = {first: new Set(), again: new Set()}
  const bucket = createBucket({perMinute: perSecond * 60, burst}, clock)
  let isPlanned = false

  const pump = (): void => {
    isPlanned = false
    for (const queue of [waiting.first, waiting.again]) {
      for (const pass of queue) {
        if (bucket.waitMs(1) > 0) break
        bucket.take(1)
        queue.delete(pass)
        pass()
      }
    }
    plan()
  }

  const plan = (): void => {
    if (isPlanned || waiting.first.size + waiting.again.size === 0) return
    isPlanned = true
    clock.after(Math.max(TICK_MS, bucket.waitMs(1)), pump)
  }

  const enter = (turn: Turn, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const leave = (): void => {
        waiting[turn].delete(pass)
        reject(signal.reason as Error)
      }
      const pass = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      signal.addEventListener('abort', leave, {once: true})
      waiting[turn].add(pass)
      // Nobody waits in front of it: it need not wait for a timer either.
      if (!isPlanned) pump()
    })
  return {enter}
}
