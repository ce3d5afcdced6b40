import type {Kysely, Selectable} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'

/** A file that somebody shared in Slack with a piece of work, for the code on its machine. Its bytes stay in Slack. */
export interface SharedFileRow {
  /** Opaque; its address ends in it. */
  id: string
  team: string
  /** Of the work: known before its thread is. */
  requestId: string
  /** Who shared it. */
  user: string
  slackFile: string
  name: string
  /** As Slack tells it. */
  mimetype: string
  /** Where Slack has it, for the bot's token. */
  url: string
}

export interface SharedFileStore {
  /** The rows of these files, made now unless they stand: a file has one address for each piece of work. */
  keep(files: readonly Omit<SharedFileRow, 'id'>[], nowMs: number): Promise<SharedFileRow[]>
  byId(id: string): Promise<SharedFileRow | undefined>
}

export function createSharedFileStore(db: Kysely<Schema>, write: Write): SharedFileStore {
  return {
    keep: (files, nowMs) =>
      write(async (transaction) => {
        const rows: SharedFileRow[] = []
        for (const {team, requestId, user, slackFile, name, mimetype, url} of files) {
          await transaction
            .insertInto('shared_files')
            .values({
              ...{id: newId(), team, request_id: requestId, user, slack_file: slackFile},
              ...{name, mimetype, url, shared_at_ms: nowMs},
            })
            .onConflict((conflict) => conflict.columns(['request_id', 'slack_file']).doNothing())
            .execute()
          const row = await transaction
            .selectFrom('shared_files')
            .selectAll()
            .where('request_id', '=', requestId)
            .where('slack_file', '=', slackFile)
            .executeTakeFirstOrThrow()
          rows.push(toRow(row))
        }
        return rows
      }),
    byId: async (id) => {
      const query = db.selectFrom('shared_files').selectAll().where('id', '=', id)
      const row = await query.executeTakeFirst()
      return row && toRow(row)
    },
  }
}

function toRow(row: Selectable<Schema['shared_files']>): SharedFileRow {
  const {id, team, request_id: requestId, user, slack_file: slackFile, ...rest} = row
  const {name, mimetype, url} = rest
  return {id, team, requestId, user, slackFile, name, mimetype, url}
}
