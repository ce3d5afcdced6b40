import type {Kysely} from 'kysely'
import {type Migration, Migrator} from 'kysely/migration'
import * as start from '../../migrations/0001-start.ts'
import * as files from '../../migrations/0002-files.ts'
import {StoreError} from './errors.ts'
import type {Schema} from './schema.ts'

const MIGRATIONS: Record<string, Migration> = {'0001-start': start, '0002-files': files}

/**
 * Brings the database to this version, in one transaction: a crash in the middle leaves it as it was.
 *
 * @throws {StoreError} `newer` when a later version of Bosun has migrated it.
 */
export async function migrate(db: Kysely<Schema>, path: string): Promise<void> {
  const known = new Set(Object.keys(MIGRATIONS))
  const unknown = (await appliedMigrations(db)).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new StoreError(
      'newer',
      `The database ${path} is of a newer version of Bosun (it has ${unknown.join(', ')}). Start that version, or restore a backup.`,
    )
  }
  await db.transaction().execute(async (transaction) => {
    const migrator = new Migrator({
      db: transaction,
      provider: {getMigrations: async () => MIGRATIONS},
    })
    const {error} = await migrator.migrateToLatest()
    if (error instanceof Error) throw error
  })
}

/** Read before anything is written: a database that is refused stays byte for byte what it was. */
async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({withInternalKyselyTables: true})
  if (!tables.some(({name}) => name === 'kysely_migration')) return []
  const rows = await db
    .$extendTables<{kysely_migration: {name: string}}>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  return rows.map(({name}) => name)
}
