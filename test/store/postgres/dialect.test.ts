import {type Kysely, sql} from 'kysely'
import {expect, onTestFinished, test} from 'vitest'
import type {Schema} from '../../../src/store/database/schema.ts'
import {connect} from '../../../src/store/postgres/connect.ts'
import {temporaryPostgres} from '../../support/postgres.ts'

interface Thing {
  name: string | null
  lane: string
  count: number | null
  at_ms: number
  body: Uint8Array | null
}

/** A table of our own, with every type that migrations know. */
async function things(): Promise<Kysely<Schema & {things: Thing}>> {
  const db = connect(await temporaryPostgres(), () => undefined)
  onTestFinished(async () => {
    await db.schema.dropTable('things').execute()
    await db.destroy()
  })
  await db.schema
    .createTable('things')
    .addColumn('name', 'text')
    .addColumn('lane', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('count', 'integer')
    .addColumn('at_ms', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('body', 'blob')
    .execute()
  return db.$extendTables<{things: Thing}>()
}

const row = {name: null, lane: '', count: null, at_ms: 0, body: null}

/** What a query of one value answers. */
async function valueOf(
  db: Pick<Kysely<Schema>, 'getExecutor'>,
  query: ReturnType<typeof sql<unknown>>,
) {
  const {rows} = await sql<{it: unknown}>`select ${query} as it`.execute(db)
  return rows[0]?.it
}

async function anyDatabase(): Promise<Kysely<Schema>> {
  const db = connect(await temporaryPostgres(), () => undefined)
  onTestFinished(() => db.destroy())
  return db
}

test('U+0000 in a text is kept as the sign for what cannot be shown, wherever the text stands in a query', async () => {
  const db = await things()
  await db
    .insertInto('things')
    .values({...row, name: 'a\0b', lane: 'x\0'})
    .execute()
  await db.updateTable('things').set({lane: '\0\0'}).where('name', '=', 'a\0b').execute()
  const found = await db
    .selectFrom('things')
    .selectAll()
    .where(sql`name`, '=', 'a\0b')
    .execute()
  expect(found).toMatchObject([{name: 'a\u{fffd}b', lane: '\u{fffd}\u{fffd}'}])
})

test('bytes are kept, zeros too', async () => {
  const db = await things()
  await db
    .insertInto('things')
    .values({...row, body: new Uint8Array([0, 255, 0])})
    .execute()
  const {body} = await db.selectFrom('things').select('body').executeTakeFirstOrThrow()
  expect([...(body ?? [])]).toEqual([0, 255, 0])
})

test('`is` compares values and nulls', async () => {
  const db = await things()
  for (const name of ['a', 'b', null])
    await db
      .insertInto('things')
      .values({...row, name})
      .execute()
  const count = async (operator: 'is' | 'is not', name: string | null): Promise<number> =>
    (await db.selectFrom('things').select('name').where('name', operator, name).execute()).length
  expect(await count('is', 'a')).toBe(1)
  expect(await count('is not', 'a')).toBe(2)
  expect(await count('is', null)).toBe(1)
  expect(await count('is not', null)).toBe(2)
})

test('nothing is in an empty list', async () => {
  const db = await things()
  await db
    .insertInto('things')
    .values({...row, name: 'a'})
    .execute()
  const all = db.selectFrom('things').select('name')
  expect(await all.where('name', 'in', []).execute()).toEqual([])
  expect(await all.where('name', 'not in', []).execute()).toHaveLength(1)
  await db.updateTable('things').set({lane: 'x'}).where('name', 'in', []).execute()
  await db.deleteFrom('things').where('name', 'in', []).execute()
  expect(await all.where('lane', '=', '').execute()).toHaveLength(1)
})

test('numbers are numbers: long ones, fractions of a millisecond, counts and sums', async () => {
  const db = await things()
  const longest = Number.MAX_SAFE_INTEGER
  await db
    .insertInto('things')
    .values({...row, count: longest, at_ms: 1_790_000_000_000.25})
    .execute()
  await db
    .insertInto('things')
    .values({...row, count: -1, at_ms: 0})
    .execute()
  const [first] = await db.selectFrom('things').selectAll().orderBy('count', 'desc').execute()
  expect(first).toMatchObject({count: longest, at_ms: 1_790_000_000_000.25})
  const said = await db
    .selectFrom('things')
    .select(({fn}) => [
      fn.countAll<number>().as('rows'),
      fn.sum<number>('count').as('sum'),
      fn.min<number>('at_ms').as('least'),
    ])
    .executeTakeFirstOrThrow()
  expect(said).toEqual({rows: 2, sum: longest - 1, least: 0})
  const {numUpdatedRows} = await db.updateTable('things').set({count: 1}).executeTakeFirst()
  expect(numUpdatedRows).toBe(2n)
})

test('texts are compared by their bytes, as in SQLite', async () => {
  const db = await things()
  const names = ['b', 'a', 'B', '_', 'ä', '10', '9', '', '\u{1f600}', '\u{ffff}']
  for (const name of names)
    await db
      .insertInto('things')
      .values({...row, name})
      .execute()
  const sorted = await db.selectFrom('things').select('name').orderBy('name').execute()
  const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(sorted.map(({name}) => name)).toEqual(byBytes)
  const after = await db.selectFrom('things').select('name').where('name', '>', 'a').execute()
  expect(after).toHaveLength(4)
})

test('JSON in a text is read as SQLite reads it', async () => {
  const db = await anyDatabase()
  const doc = JSON.stringify({
    message: 'hello',
    yes: true,
    no: false,
    said: 'true',
    five: 5,
    none: null,
  })
  const read = (key: string) => valueOf(db, sql`json_extract(${doc}, ${`$.${key}`})`)
  expect(await read('message')).toBe('hello')
  expect(await read('yes')).toBe('1')
  expect(await read('no')).toBe('0')
  expect(await read('said')).toBe('true')
  expect(await read('five')).toBe('5')
  expect(await read('none')).toBeNull()
  expect(await read('absent')).toBeNull()
  expect(await valueOf(db, sql`json_extract(null, '$.a')`)).toBeNull()
  const less = await valueOf(db, sql`json_remove(${'{"a":1,"b":2}'}, '$.a')`)
  expect(JSON.parse(String(less))).toEqual({b: 2})
  const more = await valueOf(db, sql`json_set(${'{"a":1}'}, '$.b', json('true'))`)
  expect(JSON.parse(String(more))).toEqual({a: 1, b: true})
  expect(await valueOf(db, sql`instr('abcabc', 'c')`)).toBe(3)
  expect(await valueOf(db, sql`instr('abc', 'x')`)).toBe(0)
})

test('what people write may hold what PostgreSQL refuses in JSON', async () => {
  const db = await anyDatabase()
  const texts = {
    nul: '\0 and \0\0',
    // Half of a smiling face, as a text that was cut holds it.
    cut: '\u{1f600}'.slice(0, 1),
    end: `${'\u{1f600}'.slice(1)}.`,
    told: String.raw`a \u0000 and \\ud83d in a text about JSON`,
    both: `\\\0\\\\\0`,
    face: '\u{1f600}',
  }
  const doc = JSON.stringify({...texts, message: 'long'})
  const less = String(await valueOf(db, sql`json_remove(${doc}, '$.message')`))
  const shown = (text: string) => text.replaceAll('\0', '\u{fffd}').toWellFormed()
  expect(JSON.parse(less)).toEqual(
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, shown(text)])),
  )
  expect(await valueOf(db, sql`json_extract(${doc}, '$.told')`)).toBe(texts.told)
})
