import type {Kysely} from 'kysely'

/** What people do with running work: how it was asked for, who is called when, what waits, which projects are watched. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const links = (name: string) => db.schema.alterTable('links').addColumn(name, 'text')
  await links('ask').execute()
  await links('notes').execute()
  await links('pull_request').execute()
  await links('task_id').execute()
  await links('last_model_id').execute()
  await links('tasks').execute()
  const numbers = (name: string) =>
    db.schema
      .alterTable('links')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
  await numbers('attempt').execute()
  await numbers('turn').execute()
  await numbers('muted').execute()
  await numbers('needs_you').execute()
  await db.schema.alterTable('links').addColumn('run_since_ms', 'integer').execute()
  await db.schema.createIndex('links_thread').on('links').column('thread_id').execute()
  await db.schema.createIndex('links_starter').on('links').columns(['team', 'started_by']).execute()

  await db.schema
    .alterTable('sends')
    .addColumn('delivery', 'text', (column) => column.notNull().defaultTo('queue'))
    .execute()

  await db.schema
    .createTable('pings')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('link_id', 'text', (column) => column.notNull().references('links.id'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('words', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('ended_by', 'text')
    .addColumn('reminders', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('remind_at_ms', 'integer')
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .addUniqueConstraint('pings_key', ['link_id', 'key'])
    .execute()
  await db.schema.createIndex('pings_due').on('pings').column('remind_at_ms').execute()

  await db.schema
    .createTable('watches')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('made_by', 'text', (column) => column.notNull())
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .addUniqueConstraint('watches_place', ['team', 'channel', 'project_id'])
    .execute()

  await db.schema
    .createTable('sightings')
    .addColumn('project_id', 'text', (column) => column.notNull())
    .addColumn('thread_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('times', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('sightings_thread', ['project_id', 'thread_id'])
    .execute()

  await db.schema
    .createTable('announcements')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('thread_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text')
    .addColumn('words', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('ts', 'text')
    .addColumn('ended_by', 'text')
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('announcements_thread')
    .on('announcements')
    .columns(['team', 'channel', 'thread_id'])
    .execute()
  await db.schema
    .createIndex('announcements_everywhere')
    .on('announcements')
    .column('thread_id')
    .execute()
  await db.schema
    .createIndex('announcements_state')
    .on('announcements')
    .columns(['state', 'made_at_ms'])
    .execute()

  await db.schema
    .createTable('people')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('user', 'text', (column) => column.notNull())
    .addColumn('platform_user', 'text')
    .addColumn('looked_at_ms', 'integer')
    .addColumn('choices', 'text')
    .addPrimaryKeyConstraint('people_person', ['team', 'user'])
    .execute()

  await db.schema
    .createTable('starts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('request_id', 'text', (column) => column.notNull().unique())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('user', 'text', (column) => column.notNull())
    .addColumn('wish', 'text', (column) => column.notNull())
    .addColumn('taken_by', 'text')
    .addColumn('opening', 'text')
    .addColumn('sought_at_ms', 'integer')
    .addColumn('made_at_ms', 'integer', (column) => column.notNull())
    .execute()
}
