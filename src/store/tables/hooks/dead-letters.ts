import {type Kysely, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {MAX_WAITING, NEVER_POSTPONED, countWaiting} from './deliveries.ts'

/** A delivery that was given up. Its body is kept, sealed, until it is sent again, discarded or too old. */
export interface DeadLetter {
  id: number
  hookId: string
  outcome: string
  receivedAtMs: number
  givenUpAtMs: number
  /** Of its sealed body. */
  sealedBytes: number
}

export interface DeadLetterStore {
  /** How many were given up for these hooks. */
  count(hookIds: readonly string[]): Promise<number>
  /** Newest first. */
  list(
    hookIds: readonly string[],
    page: {limit: number; beforeId: number | undefined},
  ): Promise<DeadLetter[]>
  /**
   * Puts it down once more under the key that the platform knows it by; it leaves the list. The same `key` does it once: it
   * is `sent` again. `gone`: somebody was faster. `full`: so many wait that it is not taken, and stays in the list.
   */
  sendAgain(id: number, key: string, nowMs: number): Promise<'sent' | 'gone' | 'full'>
  /** False: it was gone already. */
  discard(id: number): Promise<boolean>
}

export function createDeadLetterStore(db: Kysely<Schema>, write: Write): DeadLetterStore {
  const givenUp = (hookIds: readonly string[]) =>
    db
      .selectFrom('deliveries')
      .where('hook_id', 'in', [...hookIds, ''])
      .where('given_up_at_ms', 'is not', null)

  return {
    count: async (hookIds) => {
      const {letters} = await givenUp(hookIds)
        .select(({fn}) => fn.countAll<number>().as('letters'))
        .executeTakeFirstOrThrow()
      return letters
    },
    list: async (hookIds, {limit, beforeId}) => {
      const rows = await givenUp(hookIds)
        .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? 0))
        .select(['id', 'hook_id', 'outcome', 'received_at_ms', 'given_up_at_ms'])
        .select(sql<number>`octet_length(body)`.as('sealed_bytes'))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        hookId: row.hook_id,
        outcome: row.outcome ?? '',
        receivedAtMs: row.received_at_ms,
        givenUpAtMs: row.given_up_at_ms ?? 0,
        sealedBytes: row.sealed_bytes,
      }))
    },
    sendAgain: (id, key, nowMs) => write((transaction) => sendAgain(transaction, id, key, nowMs)),
    discard: (id) => write((transaction) => take(transaction, id)),
  }
}

async function sendAgain(
  db: Transaction<Schema>,
  id: number,
  key: string,
  nowMs: number,
): Promise<'sent' | 'gone' | 'full'> {
  const row = await db
    .selectFrom('deliveries')
    .select(['hook_id', 'team', 'sent_key', 'body', 'given_up_at_ms'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return 'gone'
  const {hook_id, team, sent_key, body} = row
  const before = await db
    .selectFrom('deliveries')
    .select('id')
    .where('hook_id', '=', hook_id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (before !== undefined) return 'sent'
  if (row.given_up_at_ms === null) return 'gone'
  if ((await countWaiting(db, hook_id)) >= MAX_WAITING) return 'full'
  if (!(await take(db, id))) return 'gone'
  const times = {due_at_ms: NEVER_POSTPONED, received_at_ms: nowMs}
  await db
    .insertInto('deliveries')
    .values({hook_id, team, key, sent_key, body, is_again: 1, ...times})
    .execute()
  return 'sent'
}

/** Its row stays, so that the same is still known when it comes again. */
async function take(db: Transaction<Schema>, id: number): Promise<boolean> {
  const {numUpdatedRows} = await db
    .updateTable('deliveries')
    .set({given_up_at_ms: null, body: null})
    .where('id', '=', id)
    .where('given_up_at_ms', 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
