import type {Kysely} from 'kysely'
import {type Migration, Migrator} from 'kysely/migration'
import * as start from '../../../migrations/0001-start.ts'
import * as files from '../../../migrations/0002-files.ts'
import * as streams from '../../../migrations/0003-streams.ts'
import * as conversation from '../../../migrations/0004-conversation.ts'
import * as connect from '../../../migrations/0005-connect.ts'
import * as baseLine from '../../../migrations/0006-base-line.ts'
import * as reviews from '../../../migrations/0007-reviews.ts'
import * as captains from '../../../migrations/0008-captains.ts'
import * as hooks from '../../../migrations/0009-hooks.ts'
import * as folders from '../../../migrations/0010-folders.ts'
import {StoreError} from './errors.ts'
import type {Schema} from './schema.ts'

const MIGRATIONS: Record<string, Migration> = {
  '0001-start': start,
  '0002-files': files,
  '0003-streams': streams,
  '0004-conversation': conversation,
  '0005-connect': connect,
  '0006-base-line': baseLine,
  '0007-reviews': reviews,
  '0008-captains': captains,
  '0009-hooks': hooks,
  '0010-folders': folders,
}

/** The name of the newest migration. */
export const NEWEST = Object.keys(MIGRATIONS).at(-1) ?? ''

/** @throws {StoreError} `newer` when a later version of Bosun has migrated the database. */
export function refuseNewer(path: string, applied: readonly string[]): void {
  const unknown = applied.filter((name) => !(name in MIGRATIONS))
  if (unknown.length === 0) return
  throw new StoreError(
    'newer',
    `The database ${path} is of a newer version of Bosun (it has ${unknown.join(', ')}). Start that version, or restore a backup.`,
  )
}

/** Brings the database to this version, in one transaction: a crash in the middle leaves it as it was. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const migrator = new Migrator({
      db: transaction,
      provider: {getMigrations: async () => MIGRATIONS},
    })
    const {error} = await migrator.migrateToLatest()
    if (error instanceof Error) throw error
  })
}
