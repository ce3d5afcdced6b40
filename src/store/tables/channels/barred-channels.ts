import type {Kysely} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'

interface Place {
  team: string
  channel: string
}

/** Channels that people of other companies have come to read, where no admin has let us go on since. */
export interface BarredChannelStore {
  bar(place: Place, nowMs: number): Promise<void>
  /** Answers whether it was barred. */
  allow(place: Place): Promise<boolean>
  isBarred(place: Place): Promise<boolean>
}

export function createBarredChannelStore(db: Kysely<Schema>, write: Write): BarredChannelStore {
  return {
    bar: ({team, channel}, nowMs) =>
      write(async (transaction) => {
        await transaction
          .insertInto('barred_channels')
          .values({team, channel, since_ms: nowMs})
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }),
    allow: ({team, channel}) =>
      write(async (transaction) => {
        const {numDeletedRows} = await transaction
          .deleteFrom('barred_channels')
          .where('team', '=', team)
          .where('channel', '=', channel)
          .executeTakeFirst()
        return numDeletedRows === 1n
      }),
    isBarred: async ({team, channel}) => {
      const row = await db
        .selectFrom('barred_channels')
        .select('channel')
        .where('team', '=', team)
        .where('channel', '=', channel)
        .executeTakeFirst()
      return row !== undefined
    },
  }
}
