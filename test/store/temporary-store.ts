import {join} from 'node:path'
import {afterAll, onTestFinished} from 'vitest'
import {type Store, openStore} from '../../src/store/store.ts'
import {IS_POSTGRES, temporaryPostgres} from '../support/postgres.ts'
import {temporaryFolder} from '../support/temporary-folder.ts'

/** A path for a database in a folder of its own, which goes with the test. */
export function temporaryPath(): string {
  return join(temporaryFolder(), 'data', 'bosun.db')
}

/** A database that goes with the test: of SQLite, or of PostgreSQL where that is what is tested. */
export async function temporaryDatabase(): Promise<string> {
  return IS_POSTGRES ? temporaryPostgres() : temporaryPath()
}

/** A store that is closed with the test. */
export async function temporaryStore(
  given?: string,
  sealingKeys: Parameters<typeof openStore>[0]['sealingKeys'] = [],
): Promise<Store> {
  const path = given ?? (await temporaryDatabase())
  const store = await openStore({path, sealingKeys})
  onTestFinished(() => store[Symbol.asyncDispose]())
  return store
}

/** One store for all the tests of a file, which is closed with them. */
export async function sharedStore(): Promise<Store> {
  const path = IS_POSTGRES
    ? await temporaryPostgres(afterAll)
    : join(temporaryFolder(afterAll), 'bosun.db')
  const store = await openStore({path, sealingKeys: []})
  afterAll(() => store[Symbol.asyncDispose]())
  return store
}

export const place = {team: 'T1', channel: 'C1', slackThread: '1.0'}
export const newLink = {place, requestId: 'r1', projectId: 'p', startedBy: 'U1'}
