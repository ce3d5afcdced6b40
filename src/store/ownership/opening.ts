import {isPostgres} from '../is-postgres.ts'
import {createAlone} from './alone.ts'
import {createComplaints} from './complaints.ts'
import type {Ownership} from './ownership.ts'

interface OwnershipOptions {
  /** A file's, or the address of a PostgreSQL, of which the store is open: its table `claims` is there. */
  path: string
  /** Which instance this is, among all that ever were. */
  instance: string
  /** Hears what an operator should know, a line for each; of what goes wrong all the time one a minute. */
  tell: (line: string) => void
}

/** @throws {StoreError} when the server does not let it keep there who owns what, or a newer version does so already. */
export async function openOwnership({path, instance, tell}: OwnershipOptions): Promise<Ownership> {
  if (!isPostgres(path)) return createAlone(createComplaints(tell))
  // Who has a file needs none of it in memory.
  const {openShared} = await import('./shared.ts')
  return openShared({url: path, instance, tell})
}
