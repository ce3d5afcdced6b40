import {type Kysely, sql} from 'kysely'
import {isPostgres} from './is-postgres.ts'

/**
 * Several instances share one database. Who works for which workspace, what an owner leaves to the next one, and which
 * version may work with these tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('inbox')
    .addColumn('team', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await nameTeams(db)
  // As before, and with what tells other people's rows from ours.
  await sql`drop index inbox_heads`.execute(db)
  await sql`create index inbox_heads on inbox (due_at_ms, id, team) where head = 1`.execute(db)

  await db.schema
    .createTable('claims')
    .addColumn('name', 'text', (column) => column.notNull().primaryKey())
    .addColumn('epoch', 'integer', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('claimed_at_ms', 'integer', (column) => column.notNull())
    .addColumn('pace', 'text')
    .execute()
  await db.schema
    .createTable('silences')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('until_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('silences_key', ['team', 'method'])
    .execute()
  await db.schema
    .createTable('confessions')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('deed', 'text', (column) => column.notNull())
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('used_states')
    .addColumn('state_hash', 'text', (column) => column.notNull().primaryKey())
    .addColumn('used_at_ms', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('schema_compat')
    .addColumn('min_version', 'integer', (column) => column.notNull())
    .execute()
  await sql`insert into schema_compat (min_version) values (17)`.execute(db)
}

/** Keys begin with a kind and a workspace, but for what has ended: there the lane does. What is handled is nobody's. */
async function nameTeams(db: Kysely<unknown>): Promise<void> {
  const second = (column: string) =>
    isPostgres(db)
      ? sql`(${sql.ref(column)}::jsonb ->> 1)`
      : sql`json_extract(${sql.ref(column)}, '$[1]')`
  await sql`update inbox set team = case when key like '["ending",%' then ${second('lane')}
    else ${second('key')} end where state = 'open' and key like '["%'`.execute(db)
}
