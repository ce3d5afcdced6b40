import {type Kysely, sql} from 'kysely'

/** Agents that have a name and a face of their own, and channels that are home to one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('links').addColumn('face', 'text').execute()
  const flag = (table: string, name: string) =>
    db.schema
      .alterTable(table)
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  await flag('links', 'home')
  await flag('sends', 'quoted')
  // A channel is home to one.
  await sql`create unique index links_home on links (team, channel) where home = 1`.execute(db)
}
