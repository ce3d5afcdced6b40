import {EventEmitter, once} from 'node:events'

/** Agents that are made to wait: none goes on behind its next delay, however long that was. */
export interface Holds {
  /** Of one thread with its tasks, or of all; until it is disposed of. */
  take(threadId?: string): Disposable
  /** Waits until nobody holds the thread; `false` when the signal was aborted before or meanwhile. */
  pass(threadId: string, signal: AbortSignal): Promise<boolean>
}

export function createHolds(): Holds {
  const held = new Set<{threadId: string | undefined}>()
  const releases = new EventEmitter().setMaxListeners(0)
  const isHeld = (id: string): boolean =>
    [...held].some(({threadId}) => threadId === undefined || threadId === id)
  return {
    take: (threadId) => {
      const hold = {threadId}
      held.add(hold)
      return {
        [Symbol.dispose]: () => {
          held.delete(hold)
          releases.emit('release')
        },
      }
    },
    pass: async (threadId, signal) => {
      try {
        while (isHeld(threadId)) await once(releases, 'release', {signal})
      } catch (error) {
        if (!signal.aborted) throw error
      }
      return !signal.aborted
    },
  }
}
