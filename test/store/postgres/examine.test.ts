import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import {expect, test} from 'vitest'
import type {Schema} from '../../../src/store/database/schema.ts'
import {examine} from '../../../src/store/postgres/examine.ts'

/** A server of this version, in an empty database of which anybody may have tables. */
function serverOf(version: number): Kysely<Schema> {
  const said = {version, name: 'bosun', may: true, ours: false, moved: false, others: null}
  class Server extends DummyDriver {
    override async acquireConnection() {
      return {
        ...(await super.acquireConnection()),
        executeQuery: async () => ({rows: [{...said, now: String(Date.now())}] as never[]}),
      }
    }
  }
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Server(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}

test('a server that is too old is refused, and the oldest that will do is not', async () => {
  await expect(examine(serverOf(13), 'here')).rejects.toMatchObject({
    code: 'unreadable',
    message: 'The database here is of PostgreSQL 13: Bosun needs 14 or later.',
  })
  expect(await examine(serverOf(14), 'here')).toMatchObject({migrations: [], seals: []})
})
