import {type Kysely, sql} from 'kysely'

/** Keys of the platform and which channel works with which, the workspaces that the app is installed in, and who did what. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('connections')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('key', 'text')
    .addColumn('last4', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('made_by', 'text', (column) => column.notNull())
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('connections_team').on('connections').column('team').execute()

  await db.schema
    .createTable('bindings')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('bindings_place', ['team', 'channel'])
    .execute()

  await db.schema
    .createTable('installs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('installation', 'text', (column) => column.notNull())
    .addColumn('bot_user', 'text', (column) => column.notNull())
    .addColumn('installed_by', 'text', (column) => column.notNull())
    .addColumn('installed_at_ms', 'integer', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('audit')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('user', 'text', (column) => column.notNull())
    .addColumn('act', 'text', (column) => column.notNull())
    .addColumn('about', 'text')
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .alterTable('seals')
    .addColumn('first_at_ms', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.createIndex('audit_time').on('audit').columns(['team', 'at_ms']).execute()

  for (const table of ['links', 'watches', 'announcements']) {
    await db.schema
      .alterTable(table)
      .addColumn('connection_id', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  }
  await db.schema
    .createIndex('links_started')
    .on('links')
    .columns(['team', 'created_at_ms'])
    .execute()

  // A primary key cannot be changed: the same project may be read by two keys.
  await db.schema.alterTable('sightings').renameTo('sightings_before').execute()
  await db.schema
    .createTable('sightings')
    .addColumn('connection_id', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('thread_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('times', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('sightings_of', ['connection_id', 'project_id', 'thread_id'])
    .execute()
  await sql`insert into sightings (project_id, thread_id, status, times)
    select project_id, thread_id, status, times from sightings_before`.execute(db)
  await db.schema.dropTable('sightings_before').execute()

  // Who somebody is on the platform depends on the key: another one may be another organization's.
  await db.schema
    .createTable('matches')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('user', 'text', (column) => column.notNull())
    .addColumn('connection_id', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('platform_user', 'text')
    .addColumn('looked_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('matches_person', ['team', 'user', 'connection_id'])
    .execute()
  await sql`insert into matches (team, "user", platform_user, looked_at_ms)
    select team, "user", platform_user, looked_at_ms from people where looked_at_ms is not null`.execute(
    db,
  )
  await db.schema.alterTable('people').dropColumn('platform_user').execute()
  await db.schema.alterTable('people').dropColumn('looked_at_ms').execute()
}
