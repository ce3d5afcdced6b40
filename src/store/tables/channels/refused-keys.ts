import type {Kysely} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'
import {type AnnouncementState, type Ending, KEY_REFUSED} from './announcement.ts'

/** What channels hear of keys that the platform refuses. */
export interface RefusedKeys {
  /** These channels hear that the platform refuses the key that they work with, unless they do hear it. True: one is new. */
  refuseKey(
    connectionId: string | undefined,
    places: readonly {team: string; channel: string}[],
    nowMs: number,
  ): Promise<boolean>
  /** When a channel that still hears that the key is refused was told last. */
  keyRefusedAtMs(connectionId: string | undefined): Promise<number | undefined>
  /** The key is taken again. True: a channel had heard that it was not. */
  acceptKey(connectionId: string | undefined, by: Ending): Promise<boolean>
}

export function createRefusedKeys(db: Kysely<Schema>, write: Write): RefusedKeys {
  const refuseKey: RefusedKeys['refuseKey'] = (connectionId = '', places, nowMs) =>
    write(async (transaction) => {
      const heard = await transaction
        .selectFrom('announcements')
        .select(['team', 'channel'])
        .where('status', '=', KEY_REFUSED)
        .where('connection_id', '=', connectionId)
        .where('ended_by', 'is', null)
        .where('state', '!=', 'gone' satisfies AnnouncementState)
        .execute()
      const missing = places.filter(
        (place) => !heard.some((one) => one.team === place.team && one.channel === place.channel),
      )
      for (const {team, channel} of missing) {
        const row = {id: newId(), team, channel, thread_id: ''}
        const said = {status: KEY_REFUSED, words: '{}', connection_id: connectionId}
        const state: AnnouncementState = 'wanted'
        await transaction
          .insertInto('announcements')
          .values({...row, ...said, state, made_at_ms: nowMs})
          .execute()
      }
      return missing.length > 0
    })

  const keyRefusedAtMs: RefusedKeys['keyRefusedAtMs'] = async (connectionId = '') => {
    const newest = await db
      .selectFrom('announcements')
      .select(({fn}) => fn.max('made_at_ms').as('atMs'))
      .where('status', '=', KEY_REFUSED)
      .where('connection_id', '=', connectionId)
      .where('ended_by', 'is', null)
      .executeTakeFirst()
    return newest?.atMs ?? undefined
  }

  const acceptKey: RefusedKeys['acceptKey'] = (connectionId = '', by) =>
    write(async (transaction) => {
      const {numUpdatedRows} = await transaction
        .updateTable('announcements')
        .set({ended_by: by})
        .where('status', '=', KEY_REFUSED)
        .where('connection_id', '=', connectionId)
        .where('ended_by', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })

  return {refuseKey, keyRefusedAtMs, acceptKey}
}
