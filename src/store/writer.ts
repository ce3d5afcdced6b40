import {setTimeout as delay} from 'node:timers/promises'
import type {Kysely, Transaction} from 'kysely'
import {isBusy} from './errors.ts'
import type {Schema} from './schema.ts'

/** A change to the database: awaits nothing but the database, and may run more than once. */
type Change<Result> = (db: Transaction<Schema>) => Promise<Result>

/** Resolves when the change is committed. Throws what the change threw, and then nothing of it stays. */
export type Write = <Result>(change: Change<Result>) => Promise<Result>

interface Waiting {
  run: (db: Transaction<Schema>) => Promise<() => void>
  fail: (error: unknown) => void
}

const BUSY_WAIT_MS = 20

/**
 * Commits changes in groups: everything that arrived while a commit ran goes into the next one, so
 * that a thousand cursors cost one write to the disk. A lock held by another process is waited for
 * without blocking the event loop.
 */
export function createWriter(db: Kysely<Schema>): Write {
  let waiting: Waiting[] = []
  let isCommitting = false

  const commit = async (group: Waiting[]): Promise<void> => {
    for (;;) {
      try {
        const settle = await db.transaction().execute(async (transaction) => {
          const done: (() => void)[] = []
          for (const change of group) done.push(await change.run(transaction))
          return done
        })
        for (const done of settle) done()
        return
      } catch (error) {
        if (isBusy(error)) {
          await delay(BUSY_WAIT_MS)
        } else if (group.length === 1) {
          group[0]?.fail(error)
          return
        } else {
          // One of them is at fault: each alone, so that the others are not.
          for (const change of group) await commit([change])
          return
        }
      }
    }
  }

  const drain = async (): Promise<void> => {
    isCommitting = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await commit(group)
    }
    isCommitting = false
  }

  return <Result>(change: Change<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const run = async (transaction: Transaction<Schema>) => {
        const result = await change(transaction)
        return () => resolve(result)
      }
      waiting.push({run, fail: reject})
      if (!isCommitting) queueMicrotask(() => void (isCommitting || drain()))
    })
}
