import {join} from 'node:path'
import {afterAll, onTestFinished} from 'vitest'
import {type Store, openStore} from '../../src/store/store.ts'
import {IS_POSTGRES, barePostgres, temporaryPostgres} from '../support/postgres.ts'
import {readyDatabase} from '../support/ready-database.ts'
import {temporaryFolder} from '../support/temporary-folder.ts'

/** A path for a database in a folder of its own, which goes with the test. Nothing stands there. */
export function temporaryPath(): string {
  return join(temporaryFolder(), 'data', 'bosun.db')
}

/** A database that goes with the test: of SQLite, or of PostgreSQL where that is what is tested. */
export async function temporaryDatabase(): Promise<string> {
  return IS_POSTGRES ? temporaryPostgres() : ready(temporaryFolder())
}

async function ready(folder: string): Promise<string> {
  const path = join(folder, 'bosun.db')
  await readyDatabase(path)
  return path
}

/** A place for one in which nothing stands, not even tables: for tests that make or change these themselves. */
export async function bareDatabase(): Promise<string> {
  return IS_POSTGRES ? barePostgres() : temporaryPath()
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

/** A store of its own for each of many runs of one test. */
export async function openTemporary(
  sealingKeys: Parameters<typeof openStore>[0]['sealingKeys'] = [],
): Promise<{path: string; store: Store} & AsyncDisposable> {
  const ends: (() => Promise<void> | void)[] = []
  const onEnd = (end: () => Promise<void> | void): void => void ends.push(end)
  const path = IS_POSTGRES ? await temporaryPostgres(onEnd) : await ready(temporaryFolder(onEnd))
  const store = await openStore({path, sealingKeys})
  onEnd(async () => store[Symbol.asyncDispose]())
  return {
    path,
    store,
    [Symbol.asyncDispose]: async () => {
      for (const end of ends.toReversed()) await end()
    },
  }
}

/** One store for all the tests of a file, which is closed with them. */
export async function sharedStore(): Promise<Store> {
  const path = IS_POSTGRES
    ? await temporaryPostgres(afterAll)
    : await ready(temporaryFolder(afterAll))
  const store = await openStore({path, sealingKeys: []})
  afterAll(() => store[Symbol.asyncDispose]())
  return store
}

export const place = {team: 'T1', channel: 'C1', slackThread: '1.0'}
export const newLink = {place, requestId: 'r1', projectId: 'p', startedBy: 'U1'}
