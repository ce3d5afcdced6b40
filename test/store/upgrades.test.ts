import {readdirSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {Secret} from '../../src/security/secret.ts'
import {openStore} from '../../src/store/store.ts'
import {openToolStore} from '../../src/store/tool-store.ts'
import {IS_POSTGRES} from '../support/postgres.ts'
import {editRaw} from '../support/raw-database.ts'
import {plant} from '../support/released/plant.ts'
import {type Rows, migrationsOf, missingIn, rowsIn, sealedIn} from '../support/released/rows.ts'
import {migrateInSteps} from '../support/released/steps.ts'
import {RELEASED, RELEASED_KEY} from '../support/released/versions.ts'
import {refusalOf} from './refusal.ts'
import {bareDatabase} from './temporary-store.ts'

/** A key and a hook of two people in two workspaces, and the tokens of both workspaces. */
const SEALED = 10
const ENGINE = IS_POSTGRES ? 'postgres' : 'sqlite'
const VERSIONS = RELEASED.filter(({on}) => (on as readonly string[]).includes(ENGINE))
const sealingKeys = [{id: RELEASED_KEY.id, key: new Secret(RELEASED_KEY.text)}]
const TODAY = readdirSync(join(import.meta.dirname, '..', '..', 'migrations'))
  .filter((name) => /^\d{4}-/.test(name))
  .map((name) => name.replace(/\.ts$/, ''))
  .toSorted()

async function planted(name: string): Promise<string> {
  const path = await bareDatabase()
  await plant(name, path)
  return path
}

async function upgrade(path: string): Promise<void> {
  const store = await openStore({path, sealingKeys})
  await store[Symbol.asyncDispose]()
}

const MOVED: Parameters<typeof missingIn>[2] = {
  // 0025: what is expected of schedules has a table of its own.
  columns: ['runs.schedules'],
  // 0024: that a run may have begun something private is told by the run.
  isSaidElsewhere: (table, row, later) =>
    table === 'private_beginnings' &&
    (later.get('runs') ?? []).some(
      (run) => run['id'] === row['request_id'] && run['is_private'] === 1,
    ),
}

describe.each(VERSIONS)('a database that $name has left', ({name, migration}) => {
  test('holds after the upgrade what it held, in steps or at once, opens every seal, and never goes back', async () => {
    const path = await planted(name)
    expect((await migrationsOf(path)).at(-1)).toBe(migration)
    const before = await rowsIn(path)
    for (const [table, all] of before) expect([table, all.length > 0]).toEqual([table, true])
    const sealed = sealedIn(before, RELEASED_KEY.id)
    // 0.1.0 kept nothing that is sealed, but what tells its key from others.
    expect(sealed.length).toBe(name === '0.1.0' ? 0 : SEALED)
    expect(before.get('seals')).toMatchObject([{key_id: RELEASED_KEY.id}])

    const other = [{id: RELEASED_KEY.id, key: new Secret(Buffer.alloc(32, 9).toString('base64'))}]
    expect(await refusalOf(path, other)).toMatchObject({code: 'keys'})
    expect(await rowsIn(path)).toEqual(before)
    expect((await migrationsOf(path)).at(-1)).toBe(migration)

    await upgrade(path)
    const after = await rowsIn(path)
    expect(await migrationsOf(path)).toEqual(TODAY)
    expect(missingIn(after, before, MOVED)).toEqual([])
    expect(sealedIn(after, RELEASED_KEY.id)).toEqual(sealed)
    await opensAgain(path, after)

    const stepsBetween = TODAY.length - TODAY.indexOf(migration) - 1
    if (stepsBetween > 0) {
      const stepped = await planted(name)
      expect(await migrateInSteps(stepped)).toBe(stepsBetween)
      expect(await rowsIn(stepped)).toEqual(after)
      await keepsWayBack(path, before)
    }
    await refusesLater(path, after)
  })
})

/** As every later start does: nothing changes, and what is sealed is read. */
async function opensAgain(path: string, rows: Rows): Promise<void> {
  {
    await using store = await openStore({path, sealingKeys})
    const sealed = sealedIn(rows, RELEASED_KEY.id).length
    expect((await store.countSealed()).get(RELEASED_KEY.id) ?? 0).toBe(sealed)
    for (const {id, label} of await store.connections.ofTeam('T1')) {
      expect(store.connections.keyOf(id)?.reveal()).toBe(`key_of_${label}`)
    }
    for (const {id} of await store.hooks.ofChannel('T1', 'C1')) {
      const {secrets} = await store.hooks.secretsOf(id)
      expect(secrets.url.reveal()).toBe('https://a.example/webhooks/automations/x')
    }
  }
  expect(await rowsIn(path)).toEqual(rows)
}

/** A file is copied before it is changed; of a server's database the owner makes backups. */
async function keepsWayBack(path: string, before: Rows): Promise<void> {
  if (IS_POSTGRES) return
  const copies = readdirSync(dirname(path)).filter((name) => name.includes('.before-'))
  expect(copies).toHaveLength(1)
  expect(await rowsIn(join(dirname(path), copies[0] ?? ''))).toEqual(before)
}

/** A version that could not work with what a later one has made says so, and leaves all as it is. */
async function refusesLater(path: string, rows: Rows): Promise<void> {
  await editRaw(path, "insert into kysely_migration values ('9999-later', '2027-01-01')")
  await editRaw(path, 'update schema_compat set min_version = 9999')
  const words = /newer version of Bosun \(it has 9999-later\)\. Start that version, or restore/
  const refusal = await refusalOf(path, sealingKeys)
  expect([refusal.code, refusal.message]).toEqual(['newer', expect.stringMatching(words)])
  await expect(openToolStore({path, sealingKeys})).rejects.toThrow(words)
  expect(await rowsIn(path)).toEqual(rows)
}
