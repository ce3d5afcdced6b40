import type {Kysely} from 'kysely'
import {SealError, type Sealer, type SealingKey} from '../security/seal.ts'
import {StoreError} from './errors.ts'
import type {Schema} from './schema.ts'
import type {Write} from './writer.ts'

const CHECK = 'bosun'

/**
 * Each key seals one known value when it is first seen. So a wrong key, or one that is missing while
 * values sealed with it may stand in the database, is found at start and not when it is needed.
 *
 * @throws {StoreError} `keys`, naming the key's id.
 */
export async function checkSeals(
  db: Kysely<Schema>,
  write: Write,
  sealer: Sealer,
  keys: readonly SealingKey[],
): Promise<void> {
  const seals = await db.selectFrom('seals').selectAll().execute()
  for (const {key_id: id, sealed} of seals) {
    try {
      sealer.open(sealed, placeOf(id))
    } catch (error) {
      if (!(error instanceof SealError)) throw error
      const problem =
        error.code === 'unknown-key'
          ? `BOSUN_KEYS lacks the key "${id}", which sealed values in this database. Add it behind the others.`
          : `BOSUN_KEYS: the key "${id}" is not the one that sealed values in this database. Give the old key back its id.`
      throw new StoreError('keys', problem, error)
    }
  }
  const known = new Set(seals.map(({key_id: id}) => id))
  const [first] = keys
  if (first === undefined || known.has(first.id)) return
  const sealed = sealer.seal(CHECK, placeOf(first.id))
  await write((transaction) =>
    transaction.insertInto('seals').values({key_id: first.id, sealed}).execute(),
  )
}

function placeOf(keyId: string): {table: string; row: string; purpose: string} {
  return {table: 'seals', row: keyId, purpose: 'check'}
}
