import type {Kysely} from 'kysely'

/** Models by the names that admins give them, those that were met, and which one a message goes with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('model_aliases')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('lower_name', 'text', (column) => column.notNull())
    .addColumn('model_id', 'text', (column) => column.notNull())
    .addColumn('effort', 'text')
    .addColumn('modes', 'text', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('changed_at_ms', 'integer', (column) => column.notNull())
    .addUniqueConstraint('model_aliases_name', ['team', 'connection_id', 'lower_name'])
    .execute()
  await db.schema
    .createTable('known_models')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('model_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('billing_label', 'text')
    .addColumn('seen_at_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('known_models_of', ['team', 'connection_id', 'model_id'])
    .execute()
  await db.schema.alterTable('links').addColumn('model', 'text').execute()
  await db.schema.alterTable('sends').addColumn('model', 'text').execute()
}
