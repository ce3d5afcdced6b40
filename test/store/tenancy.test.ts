import fc from 'fast-check'
import {expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import type {Store} from '../../src/store/store.ts'
import {openRaw} from '../support/raw-database.ts'
import {ASKS, PROCESS, seed} from './tenancy-asks.ts'
import {openTemporary} from './temporary-store.ts'

const sealingKeys = [{id: 'k', key: new Secret(Buffer.alloc(32, 5).toString('base64'))}]

async function openTwo() {
  await using ends = new AsyncDisposableStack()
  const {path, store} = ends.use(await openTemporary(sealingKeys))
  const mine = await seed(store, 'T-MINE')
  const theirs = await seed(store, 'T-THEIRS')
  const database = ends.use(await openRaw(path))
  // One thread that both look at, in the states that a reading ends or words.
  for (const [id, team, state] of [
    ['a', 'T-MINE', 'placed'],
    ['b', 'T-THEIRS', 'placed'],
    ['c', 'T-MINE', 'found'],
    ['d', 'T-THEIRS', 'found'],
  ] as const) {
    const connection = team === 'T-MINE' ? mine.connectionId : theirs.connectionId
    await database.run(
      `insert into announcements (id, team, channel, thread_id, status, words, state, connection_id, made_at_ms)
        values (?, ?, 'C9', 'thread', 'failed', '{}', ?, ?, 1)`,
      ...[id, team, state, connection],
    )
  }
  const tables = await database.tables()
  // Every value that is theirs alone.
  const marks = ['T-THEIRS', ...Object.values(theirs).map(String)].filter((mark) => mark.length > 3)
  const isTheirs = (value: unknown): boolean => {
    const text = JSON.stringify(value, (_key, one: unknown) =>
      typeof one === 'bigint' ? String(one) : one,
    ) as string | undefined
    return text !== undefined && marks.some((mark) => text.includes(mark))
  }
  const rowsOfTheirs = async (): Promise<string> => {
    const rows: unknown[] = []
    for (const table of tables) {
      const all = await database.all(`select * from ${table}`)
      const found = all.filter(isTheirs).map((row) => JSON.stringify(row))
      rows.push([table, found.toSorted()])
    }
    return JSON.stringify(rows)
  }
  const kept = ends.move()
  return {
    ...{store, mine, isTheirs, rowsOfTheirs},
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const METHODS = Object.entries(ASKS).flatMap(([name, asks]) =>
  Object.entries(asks).flatMap(([method, ask]) =>
    ask === PROCESS ? [] : [{what: `${name}.${method}`, ask}],
  ),
)

test('no store leaves out what it is asked here', async () => {
  await using two = await openTwo()
  const {store} = two
  const methods = (value: object): string[] => Object.keys(value).toSorted()
  const stores = Object.entries(store).filter(
    ([name, value]) =>
      typeof value === 'object' && !['sealer', 'lost', 'ownership', 'notices'].includes(name),
  )
  expect(stores.map(([name]) => name).toSorted()).toEqual(methods(ASKS))
  for (const [name, value] of stores) {
    expect([name, ...methods(value as object)]).toEqual([
      name,
      ...methods(ASKS[name as keyof Store] ?? {}),
    ])
  }
})

test('whatever one workspace asks for, no row of another one is told or changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(METHODS, {minLength: 10}), async (asks) => {
      await using two = await openTwo()
      const {store, mine, isTheirs, rowsOfTheirs} = two
      const before = await rowsOfTheirs()
      for (const {what, ask} of asks) {
        // What an earlier one removed may be missed; it must not be taken from somebody else.
        const told = await ask(store, mine).catch(() => undefined)
        expect([what, isTheirs(told)]).toEqual([what, false])
      }
      // Looked at once: which of them it was, shrinking finds.
      expect((await rowsOfTheirs()) === before, asks.map(({what}) => what).join()).toBe(true)
    }),
    {numRuns: 15},
  )
})
