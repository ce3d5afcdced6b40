import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {createSealer} from '../../../src/security/seal.ts'
import {isPostgres} from '../../../src/store/is-postgres.ts'
import {openStore} from '../../../src/store/store.ts'
import {temporaryPath} from '../../store/temporary-store.ts'
import {fillStore, standOf} from '../../support/moved-store.ts'
import {openRaw, printOf} from '../../support/raw-database.ts'
import {tool} from '../../support/tool.ts'
import {keyNamed} from '../sealed-database.ts'

export const SCRIPT = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'src',
  'tools',
  'migrate-store.ts',
)
export const key = keyNamed('k1')
export const settings = {BOSUN_KEYS: key.setting}
export const named = (path: string): string => (isPostgres(path) ? path : `sqlite:${path}`)

/** What it says of how far it is comes by the clock, more of it on a slow machine. */
const PROGRESS = /^\w+: \d+ rows? (?:copied|compared)\n/gm

export async function move(from: string, to: string, keys: Record<string, string> = settings) {
  const said = await tool('migrate-store', [named(from), named(to)], keys)
  return {...said, err: said.err.replace(PROGRESS, '')}
}

/** Of SQLite, with rows in every table. */
export async function filledStore(rows = 400): Promise<string> {
  const path = temporaryPath()
  const store = await openStore({path, sealingKeys: [key]})
  await store[Symbol.asyncDispose]()
  fillStore(path, {rows, seed: '1', sealer: createSealer([key])})
  return path
}

/** Everything that stands there. */
export async function contentOf(path: string): Promise<unknown> {
  if (isPostgres(path)) return printOf(path)
  if (!existsSync(path)) return 'not there'
  await using raw = await openRaw(path)
  const schema = await raw.all('select name, sql from sqlite_schema order by name')
  return [schema, await standOf(path)]
}

/** Why no bot starts there; `undefined` when one does. */
export async function refusal(path: string): Promise<string | undefined> {
  try {
    const store = await openStore({path, sealingKeys: [key]})
    await store[Symbol.asyncDispose]()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
