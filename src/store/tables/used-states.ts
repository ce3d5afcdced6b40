import {createHash} from 'node:crypto'
import type {Write} from '../database/writer.ts'

export interface UsedStateStore {
  /** True for one of all that come with it. Rejects when the signal comes first: then nobody may go on with it. */
  use(state: string, nowMs: number, signal?: AbortSignal): Promise<boolean>
}

/** The `state` of each link that has led back from Slack: it works once, whichever instance it comes to. */
export function createUsedStateStore(write: Write): UsedStateStore {
  return {
    use: (state, nowMs, signal) =>
      write(async (transaction) => {
        const {numInsertedOrUpdatedRows} = await transaction
          .insertInto('used_states')
          .values({state_hash: createHash('sha256').update(state).digest('hex'), used_at_ms: nowMs})
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        return numInsertedOrUpdatedRows === 1n
      }, signal),
  }
}
