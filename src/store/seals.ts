import type {Selectable} from 'kysely'
import {SealError, type Sealer, type SealingKey} from '../security/seal.ts'
import {StoreError} from './errors.ts'
import type {Schema} from './schema.ts'
import type {Write} from './writer.ts'

/** A known value, sealed by one key when it was first seen. */
export type Seal = Selectable<Schema['seals']>

const CHECK = 'bosun'

/**
 * A wrong key, or one that is missing while values sealed with it may stand in the database, is found at
 * start and not when it is needed.
 *
 * @throws {StoreError} `keys`, naming the key's id.
 */
export function checkSeals(seals: readonly Seal[], sealer: Sealer): void {
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
}

/** Puts down the seal of the key that seals from now on, unless it is known. */
export async function addSeal(
  write: Write,
  sealer: Sealer,
  {seals, keys: [first]}: {seals: readonly Seal[]; keys: readonly SealingKey[]},
): Promise<void> {
  if (first === undefined || seals.some(({key_id: id}) => id === first.id)) return
  const sealed = sealer.seal(CHECK, placeOf(first.id))
  await write((transaction) =>
    transaction.insertInto('seals').values({key_id: first.id, sealed}).execute(),
  )
}

function placeOf(keyId: string): {table: string; row: string; purpose: string} {
  return {table: 'seals', row: keyId, purpose: 'check'}
}
