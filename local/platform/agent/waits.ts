import type {Clock} from '../clock.ts'
import type {Database} from '../database.ts'

/** The threads that wait for something outside, and what they do when it has come. Section 3.1, `waiting`. */
export interface Waits extends Disposable {
  /** `script` is JSON. */
  set(threadId: string, afterMs: number, script: string): void
  /** Ends the wait, and answers the script that it was for. */
  take(threadId: string): string | undefined
  /** Goes on where the last process stopped. */
  recover(): void
}

interface WaitsOptions {
  database: Database
  clock: Clock
  /** The thing has come; the wait is still there to be taken. */
  onDue: (threadId: string) => void
}

interface Wait {
  threadId: string
  dueMs: number
}

export function createWaits({database, clock, onDue}: WaitsOptions): Waits {
  database.exec(SCHEMA)
  const put = database.prepare('insert or replace into waits values (?, ?, ?)')
  const all = database.prepare<[], Wait>('select threadId, dueMs from waits')
  const take = database
    .prepare<[string], string>('delete from waits where threadId = ? returning script')
    .pluck()
  const timers = new Map<string, () => void>()
  const cancel = (threadId: string): void => {
    timers.get(threadId)?.()
    timers.delete(threadId)
  }
  const arm = ({threadId, dueMs}: Wait): void => {
    cancel(threadId)
    const delayMs = Math.max(0, dueMs - clock.nowMs())
    timers.set(
      threadId,
      clock.after(delayMs, () => onDue(threadId)),
    )
  }
  return {
    set: (threadId, afterMs, script) => {
      const dueMs = clock.nowMs() + afterMs
      put.run(threadId, dueMs, script)
      arm({threadId, dueMs})
    },
    take: (threadId) => {
      cancel(threadId)
      return take.get(threadId)
    },
    recover: () => {
      for (const wait of all.all()) arm(wait)
    },
    [Symbol.dispose]: () => {
      for (const threadId of [...timers.keys()]) cancel(threadId)
    },
  }
}

const SCHEMA = `
create table if not exists waits (
  threadId text primary key references threads (id), dueMs real not null, script text not null
) strict;
`
