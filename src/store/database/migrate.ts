import {type Kysely, type Transaction, sql} from 'kysely'
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
import * as origins from '../../../migrations/0011-origins.ts'
import * as heldSends from '../../../migrations/0012-held-sends.ts'
import * as looks from '../../../migrations/0013-looks.ts'
import * as openings from '../../../migrations/0014-openings.ts'
import * as marks from '../../../migrations/0015-marks.ts'
import * as dismissed from '../../../migrations/0016-dismissed.ts'
import * as instances from '../../../migrations/0017-instances.ts'
import * as sharedFiles from '../../../migrations/0018-shared-files.ts'
import * as models from '../../../migrations/0019-models.ts'
import * as budgets from '../../../migrations/0020-budgets.ts'
import * as deadLetters from '../../../migrations/0021-dead-letters.ts'
import * as choices from '../../../migrations/0022-choices.ts'
import * as runs from '../../../migrations/0023-runs.ts'
import * as runsUnderway from '../../../migrations/0024-runs-underway.ts'
import * as timetables from '../../../migrations/0025-timetables.ts'
import * as unsentAnswers from '../../../migrations/0026-unsent-answers.ts'
import * as pullRequests from '../../../migrations/0027-pull-requests.ts'
import * as rules from '../../../migrations/0028-rules.ts'
import * as digests from '../../../migrations/0029-digests.ts'
import * as unfurls from '../../../migrations/0030-unfurls.ts'
import * as rooms from '../../../migrations/0031-rooms.ts'
import * as executions from '../../../migrations/0032-executions.ts'
import * as roomViews from '../../../migrations/0033-room-views.ts'
import * as recovery from '../../../migrations/0034-recovery.ts'
import * as threads from '../../../migrations/0035-threads.ts'
import * as barredChannels from '../../../migrations/0036-barred-channels.ts'
import * as hookProjects from '../../../migrations/0037-hook-projects.ts'
import * as growth from '../../../migrations/0038-growth.ts'
import {StoreError, troubleOf} from './errors.ts'
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
  '0011-origins': origins,
  '0012-held-sends': heldSends,
  '0013-looks': looks,
  '0014-openings': openings,
  '0015-marks': marks,
  '0016-dismissed': dismissed,
  '0017-instances': instances,
  '0018-shared-files': sharedFiles,
  '0019-models': models,
  '0020-budgets': budgets,
  '0021-dead-letters': deadLetters,
  '0022-choices': choices,
  '0023-runs': runs,
  '0024-runs-underway': runsUnderway,
  '0025-timetables': timetables,
  '0026-unsent-answers': unsentAnswers,
  '0027-pull-requests': pullRequests,
  '0028-rules': rules,
  '0029-digests': digests,
  '0030-unfurls': unfurls,
  '0031-rooms': rooms,
  '0032-executions': executions,
  '0033-room-views': roomViews,
  '0034-recovery': recovery,
  '0035-threads': threads,
  '0036-barred-channels': barredChannels,
  '0037-hook-projects': hookProjects,
  '0038-growth': growth,
}

/** The name of the newest migration. */
const NEWEST = Object.keys(MIGRATIONS).at(-1) ?? ''

/** The number of the newest migration: how new this version is, as the database has it. */
export const VERSION = Number.parseInt(NEWEST, 10)

/**
 * @param minVersion The oldest version that may work with it, where several do at once: later ones only add.
 * @throws {StoreError} `newer` when a later version of Bosun has migrated the database.
 */
export function refuseNewer(path: string, applied: readonly string[], minVersion = Infinity): void {
  const unknown = unknownIn(applied)
  if (unknown.length === 0) return
  if (minVersion <= VERSION && pendingAfter(applied).length === 0) return
  throw new StoreError(
    'newer',
    `The database ${path} is of a newer version of Bosun (it has ${unknown.join(', ')}). Start that version, or restore a backup.`,
  )
}

export async function readMinVersion(db: Kysely<Schema>): Promise<number | undefined> {
  const {min} = await db
    .selectFrom('schema_compat')
    .select(({fn}) => fn.max<number | null>('min_version').as('min'))
    .executeTakeFirstOrThrow()
  return min ?? undefined
}

/** Whether a later version has migrated it: then there is nothing that this one could. */
export function isNewer(applied: readonly string[]): boolean {
  return unknownIn(applied).length > 0
}

/** What a later version has done to it. */
function unknownIn(applied: readonly string[]): string[] {
  return applied.filter((name) => !(name in MIGRATIONS))
}

/** @throws {StoreError} `unreadable` when this version has yet to migrate the database, which the bot alone does. */
export function refuseOlder(path: string, applied: readonly string[]): void {
  if (applied.includes(NEWEST)) return
  const how = applied.length === 0 ? 'empty' : 'of an earlier version of Bosun'
  throw new StoreError(
    'unreadable',
    `The database ${path} is ${how}. Start Bosun once, so that it brings it to this version.`,
  )
}

/** What is yet to be applied to a database, in order; everything for one that is yet to be made. */
export function pendingAfter(applied: readonly string[]): string[] {
  return Object.keys(MIGRATIONS).filter((name) => !applied.includes(name))
}

/** Done in the transaction of the migrations. */
type Step = (db: Kysely<Schema>) => Promise<void>

interface MigrationOptions {
  path: string
  /** What was applied when it was looked at: nothing where the tables are yet to be made. */
  applied?: readonly string[]
  copy: string | undefined
  before?: Step
  after?: Step
}

/** @throws {StoreError} `migration` when a migration fails for a reason of its own; nothing was changed then. */
export async function migrateFrom(
  db: Kysely<Schema>,
  {path, applied = [], copy, before, after}: MigrationOptions,
): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      await before?.(transaction)
      const isThere = applied.length > 0 && (await isCurrent(transaction))
      if (!isThere) await migrateIn(transaction)
      await after?.(transaction)
    })
  } catch (error) {
    if (error instanceof StoreError || troubleOf(error) !== undefined) throw error
    const why = error instanceof Error ? error.message : String(error)
    const back =
      copy === undefined
        ? ''
        : ` The earlier version can be started with it; ${copy} holds the same.`
    throw new StoreError(
      'migration',
      `The database ${path} cannot be brought to this version of Bosun: ${why}. Nothing of it was changed.${back}`,
      error,
    )
  }
}

/**
 * Whether what this version applies has been, and nothing else. That is asked here because kysely, before it comes to that, reads the
 * columns of all tables twice: a third of what opening a database of PostgreSQL costs the server.
 */
async function isCurrent(db: Transaction<Schema>): Promise<boolean> {
  const {rows} = await sql<{name: string}>`select name from kysely_migration`.execute(db)
  return rows.length === Object.keys(MIGRATIONS).length && !isNewer(rows.map(({name}) => name))
}

/** Brings the database to this version: a transaction that is cut off in the middle leaves it as it was. */
export async function migrateIn(db: Transaction<Schema>): Promise<void> {
  const migrator = new Migrator({db, provider: {getMigrations: async () => MIGRATIONS}})
  const {error} = await migrator.migrateToLatest()
  if (error instanceof Error) throw error
}
