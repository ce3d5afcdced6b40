import type {Kysely} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'

/** A folder of the platform, by the name that somebody gave it here. */
export interface Folder {
  /** As the platform calls it. */
  id: string
  name: string
}

/** Whose folders: those of a key in a workspace. `connectionId` is `undefined` for the key of the environment. */
interface Shelf {
  team: string
  connectionId: string | undefined
}

/** Folders that are remembered, since the platform's API has no list of them. */
export interface FolderStore {
  /** By name. */
  of(shelf: Shelf): Promise<Folder[]>
  /** Remembers it, or gives it another name; `full`: there are {@link MAX_FOLDERS} already. */
  add(shelf: Shelf, folder: Folder, by: {user: string; nowMs: number}): Promise<'kept' | 'full'>
  /** False: it was not remembered. */
  forget(shelf: Shelf, id: string): Promise<boolean>
}

/** Slack takes so many entries in a menu. */
export const MAX_FOLDERS = 100

export function createFolderStore(db: Kysely<Schema>, write: Write): FolderStore {
  const of: FolderStore['of'] = ({team, connectionId = ''}) =>
    db
      .selectFrom('folders')
      .select(['id', 'name'])
      .where('team', '=', team)
      .where('connection_id', '=', connectionId)
      .orderBy('name')
      .orderBy('id')
      .execute()

  const add: FolderStore['add'] = (shelf, {id, name}, {user, nowMs}) =>
    write(async (transaction) => {
      const {team, connectionId = ''} = shelf
      const all = await transaction
        .selectFrom('folders')
        .select('id')
        .where('team', '=', team)
        .where('connection_id', '=', connectionId)
        .execute()
      if (all.length >= MAX_FOLDERS && all.every((folder) => folder.id !== id)) return 'full'
      await transaction
        .insertInto('folders')
        .values({team, connection_id: connectionId, id, name, added_by: user, added_at_ms: nowMs})
        .onConflict((conflict) =>
          conflict.columns(['team', 'connection_id', 'id']).doUpdateSet({name}),
        )
        .execute()
      return 'kept'
    })

  const forget: FolderStore['forget'] = ({team, connectionId = ''}, id) =>
    write(async (transaction) => {
      const {numDeletedRows} = await transaction
        .deleteFrom('folders')
        .where('team', '=', team)
        .where('connection_id', '=', connectionId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    })

  return {of, add, forget}
}
