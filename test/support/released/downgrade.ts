import {isDeepStrictEqual} from 'node:util'
import {join} from 'node:path'
import type {Secret as SecretOfToday} from '../../../src/security/secret.ts'
import type {openStore as openStoreOfToday} from '../../../src/store/store.ts'
import {type Place, openPattern} from './pattern.ts'
import {rowsIn} from './rows.ts'
import {reopen} from './upgrading.ts'
import {type Engine, RELEASED_KEY, type ReleasedVersion} from './versions.ts'

/**
 * Opens what today's version has upgraded with the old version's own code, from the history.
 *
 * @returns what it says; `undefined` where it opens it, as it may where nothing was changed for it.
 * @throws when it has changed anything.
 */
export async function downgrade(
  tree: string,
  {name}: ReleasedVersion,
  engine: Engine,
  place: Place,
): Promise<string | undefined> {
  const pattern = await openPattern({name, engine}, place)
  const path = await pattern.copy()
  try {
    await reopen(path)
    const rows = await rowsIn(path)
    const said = await openWith(tree, path)
    if (!isDeepStrictEqual(await rowsIn(path), rows)) throw new Error(`${name} has changed rows`)
    return said
  } finally {
    await pattern.drop(path)
    await pattern.end()
  }
}

async function openWith(tree: string, path: string): Promise<string | undefined> {
  const own = async <Module>(file: string): Promise<Module> =>
    (await import(join(tree, 'src', file))) as Module
  const {openStore} = await own<{openStore: typeof openStoreOfToday}>('store/store.ts')
  const {Secret} = await own<{Secret: typeof SecretOfToday}>('security/secret.ts')
  const sealingKeys = [{id: RELEASED_KEY.id, key: new Secret(RELEASED_KEY.text)}]
  try {
    const store = await openStore({path, sealingKeys})
    await store[Symbol.asyncDispose]()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
