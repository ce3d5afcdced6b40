import {PostgresAdapter, type Transaction} from 'kysely'
import type {Schema} from '../../database/schema.ts'

const MINUTE_MS = 60_000

/**
 * How long until a hook takes another delivery, where several instances take them; 0: now. Alone, whoever counts in memory
 * counts all. Who asks keeps others from adding any until the transaction is over, so that they count this one, too.
 */
export async function waitMsOf(
  transaction: Transaction<Schema>,
  hookId: string,
  {perMinute, nowMs}: {perMinute: number; nowMs: number},
): Promise<number> {
  if (!(transaction.getExecutor().adapter instanceof PostgresAdapter)) return 0
  await transaction.selectFrom('hooks').select('id').where('id', '=', hookId).forUpdate().execute()
  const oldest = await transaction
    .selectFrom('deliveries')
    .select('received_at_ms')
    .where('hook_id', '=', hookId)
    .orderBy('id', 'desc')
    .offset(perMinute - 1)
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined) return 0
  const leftMs = oldest.received_at_ms + MINUTE_MS - nowMs
  // What lies further ahead was written down by a clock that was wrong: it says nothing of the last minute.
  return leftMs > 2 * MINUTE_MS ? 0 : Math.min(MINUTE_MS, Math.max(0, leftMs))
}
