import type {Database} from '../database.ts'
import type {Principal} from '../organization/keys.ts'
import type {Threads} from '../threads/threads.ts'
import {judgeEach, type Outcomes} from './outcomes.ts'

/** The threads that members pin to their boards: written through the API, never read back. Section 4.6. */
export interface Pins {
  /** `changed`: whether any thread of the member's board stands differently than before. */
  set(principal: Principal, pinning: Pinning): {outcomes: Outcomes; changed: boolean}
}

interface Pinning {
  /** Whose board it is. */
  userId: string
  threadIds: readonly string[]
  pinned: boolean
}

export function createPins({database, threads}: {database: Database; threads: Threads}): Pins {
  database.exec(`create table if not exists pins (
    userId text not null references users (id), threadId text not null references threads (id),
    primary key (userId, threadId)
  ) strict, without rowid`)
  const insert = database.prepare<[string, string]>(
    'insert or ignore into pins (userId, threadId) values (?, ?)',
  )
  const remove = database.prepare<[string, string]>(
    'delete from pins where userId = ? and threadId = ?',
  )
  const set: Pins['set'] = (principal, {userId, threadIds, pinned}) => {
    const write = pinned ? insert : remove
    let changed = false
    const outcomes = judgeEach(threads, principal, threadIds, ({id}) => {
      if (write.run(userId, id).changes > 0) changed = true
      return 'ok'
    })
    return {outcomes, changed}
  }
  return {set: database.transaction(set)}
}
