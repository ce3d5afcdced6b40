import {randomUUID} from 'node:crypto'
import {openOwnership} from './ownership/opening.ts'
import {isPostgres} from './is-postgres.ts'
import type {OpeningOptions, Store} from './opening.ts'
import {openSqliteStore} from './sqlite/open.ts'

export type {Store} from './opening.ts'

type StoreOptions = Pick<OpeningOptions, 'sealingKeys'> &
  Partial<OpeningOptions> & {
    /** A file's, or the address of a PostgreSQL. */
    path: string
  }

/**
 * Opens the database, migrates it, and checks that the sealing keys are the ones it knows.
 *
 * @throws {StoreError} when it is in use, missing, damaged, unreadable, of a newer version, or sealed
 * with other keys; nothing was changed then.
 */
export async function openStore({
  path,
  sealingKeys,
  app,
  platform,
  tell = () => undefined,
  signal,
  learn = () => undefined,
  omit = (text) => text,
  onCommit,
}: StoreOptions): Promise<Store> {
  const options = {sealingKeys, app, platform, tell, signal, learn, omit, onCommit}
  if (!isPostgres(path)) return openSqliteStore({path, ...options})
  // Who has a file needs none of it in memory.
  const {openPostgresStore} = await import('./postgres/open.ts')
  const instance = randomUUID()
  return openPostgresStore({
    ...options,
    url: path,
    openOwnership: () => openOwnership({path, instance, tell}),
  })
}
