import {type Kysely, sql} from 'kysely'
import {StoreError} from './errors.ts'
import type {Schema} from './schema.ts'

/** The table of moves. No migration makes it: only a database that has been moved, or moved to, has one. */
export const MOVES = 'moved'

/** What `npm run migrate-store` has noted in a database. The newest one counts. */
export interface Move {
  number: number
  /** The same in both databases. */
  id: string
  /**
   * `gone`: everything is at the place. `coming`: what is at the place is to come here, and has not yet. `here`: it has
   * come from there.
   */
  state: 'gone' | 'coming' | 'here'
  /** The other database, without a word of who uses it. */
  place: string
  at: string
}

/**
 * A bot on what has moved away would do all that it knows a second time, and one on what is yet to come would begin anew.
 *
 * @throws {StoreError} `moved`
 */
export function refuseMoved(name: string, moves: readonly Move[]): void {
  const last = moves.at(-1)
  if (last === undefined || last.state === 'here') return
  throw new StoreError(
    'moved',
    last.state === 'gone'
      ? `The database ${name} was moved to ${last.place}: set DATABASE_URL to that one. If that holds nothing yet, the move was cut off: repeat npm run migrate-store with the same two.`
      : `The database ${name} is to hold what is in ${last.place}, and does not yet, since the move was cut off: repeat npm run migrate-store with the same two.`,
  )
}

export async function readMoves(db: Kysely<Schema>): Promise<Move[]> {
  const {rows} = await sql<Move>`
    select number, id, state, place, at from ${sql.table(MOVES)} order by number`.execute(db)
  return rows
}

/** In the place of one that was to come and has not. */
export async function noteMove(
  db: Kysely<Schema>,
  {id, state, place}: Pick<Move, 'id' | 'state' | 'place'>,
): Promise<void> {
  await db.schema
    .createTable(MOVES)
    .ifNotExists()
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
  await sql`delete from ${sql.table(MOVES)} where state = 'coming'`.execute(db)
  await sql`insert into ${sql.table(MOVES)} (number, id, state, place, at)
    select coalesce(max(number), 0) + 1, ${id}, ${state}, ${place}, ${new Date().toISOString()}
    from ${sql.table(MOVES)}`.execute(db)
}

/** As if that one had never been noted. */
export async function dropMove(db: Kysely<Schema>, id: string): Promise<void> {
  await sql`delete from ${sql.table(MOVES)} where id = ${id} and state != 'here'`.execute(db)
  const left = await readMoves(db)
  if (left.length === 0) await db.schema.dropTable(MOVES).execute()
}
