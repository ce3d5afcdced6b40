import type {Transaction} from 'kysely'
import type {Schema} from '../../database/schema.ts'

/** So many of a hook stand in its log and can be sent again. */
const LOGGED = 100
/** So many of a hook are kept that were given up: their bodies must not fill the disk either. */
export const MAX_GIVEN_UP = 200

/** What is in no log any more is not sent again. Its key stays, so that the same is still known. */
export async function forgetBodies(db: Transaction<Schema>, hookId: string): Promise<void> {
  const last = await db
    .selectFrom('deliveries')
    .select('id')
    .where('hook_id', '=', hookId)
    .orderBy('id', 'desc')
    .offset(LOGGED)
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return
  await db
    .updateTable('deliveries')
    .set({body: null})
    .where('hook_id', '=', hookId)
    .where('id', '<=', last.id)
    .where('body', 'is not', null)
    .where('due_at_ms', 'is', null)
    .where('given_up_at_ms', 'is', null)
    .execute()
}

/** Of those that were given up, those that are too many are wanted no more, and are as old as the log says. */
export async function keepNewest(db: Transaction<Schema>, hookId: string): Promise<void> {
  const last = await db
    .selectFrom('deliveries')
    .select('id')
    .where('hook_id', '=', hookId)
    .where('given_up_at_ms', 'is not', null)
    .orderBy('id', 'desc')
    .offset(MAX_GIVEN_UP)
    .limit(1)
    .executeTakeFirst()
  if (last === undefined) return
  await db
    .updateTable('deliveries')
    .set({given_up_at_ms: null})
    .where('hook_id', '=', hookId)
    .where('id', '<=', last.id)
    .where('given_up_at_ms', 'is not', null)
    .execute()
}
