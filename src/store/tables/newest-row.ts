import type {Kysely} from 'kysely'
import type {Schema} from '../database/schema.ts'

/** When the last of the rows was written that every interaction leaves: by the clock of then. */
export async function newestRowMs(db: Kysely<Schema>): Promise<number | undefined> {
  const [inbox, audit] = await Promise.all([
    db
      .selectFrom('inbox')
      .select('received_at_ms as atMs')
      .orderBy('id', 'desc')
      .limit(1)
      .execute(),
    db.selectFrom('audit').select('at_ms as atMs').orderBy('id', 'desc').limit(1).execute(),
  ])
  const times = [...inbox, ...audit].map(({atMs}) => atMs)
  return times.length === 0 ? undefined : Math.max(...times)
}
