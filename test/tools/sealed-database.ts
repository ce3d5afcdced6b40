import {randomBytes} from 'node:crypto'
import {onTestFinished} from 'vitest'
import type {SealingKey} from '../../src/security/seal.ts'
import {Secret} from '../../src/security/secret.ts'
import {isPostgres} from '../../src/store/is-postgres.ts'
import {type Store, openStore} from '../../src/store/store.ts'
import {temporaryDatabase} from '../store/temporary-store.ts'

interface Key extends SealingKey {
  /** As it stands in BOSUN_KEYS. */
  setting: string
}

export function keyNamed(id: string): Key {
  const key = randomBytes(32).toString('base64')
  return {id, key: new Secret(key), setting: `${id}:${key}`}
}

/** A database with so many sealed keys and one install, opened as the bot opens it. */
export async function sealedDatabase(
  keys: readonly Key[],
  count = 20,
): Promise<{path: string; store: Store; ids: string[]}> {
  const path = await temporaryDatabase()
  const store = await openStore({path, sealingKeys: keys})
  onTestFinished(() => store[Symbol.asyncDispose]())
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const key = new Secret(`pk_${index}_abcd`)
    const {id} = await store.connections.add({team: 'T1', label: `c${index}`, key, madeBy: 'U1'}, 0)
    ids.push(id)
  }
  const install = {id: 'T1', botUserId: 'B1', installedBy: 'U1'}
  const installation = JSON.stringify({bot: {token: 'xoxb-1'}, user: {id: 'U1'}})
  await store.installs.keep({...install, installation, installedAtMs: 0})
  return {path, store, ids}
}

export function settingsOf(path: string, ...keys: readonly Key[]): Record<string, string> {
  const DATABASE_URL = isPostgres(path) ? path : `sqlite:${path}`
  return {DATABASE_URL, BOSUN_KEYS: keys.map(({setting}) => setting).join(',')}
}
