import type {Transaction} from 'kysely'
import type {Schema} from './database/schema.ts'

/** What nobody watches is not known any more: the next watch starts to count anew. */
export async function forgetUnwatched(transaction: Transaction<Schema>): Promise<void> {
  await transaction
    .deleteFrom('sightings')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('watches')
            .select('watches.id')
            .whereRef('watches.project_id', '=', 'sightings.project_id')
            .whereRef('watches.connection_id', '=', 'sightings.connection_id'),
        ),
      ),
    )
    .execute()
}
