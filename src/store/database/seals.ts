import {SealError, type Sealer, type SealingKey} from '../../security/seal.ts'
import {StoreError} from './errors.ts'
import type {Write} from './writer.ts'

/** A known value, sealed by one key when it was first seen. */
export interface Seal {
  key_id: string
  sealed: string
  /** Absent in a database of an earlier version. */
  first_at_ms?: number
}

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

/** The key that the newest start began to seal with. */
export function sealingKeyOf(seals: readonly Seal[]): string | undefined {
  return newestOf(seals)?.key_id
}

/**
 * Puts down which key seals from now on, unless it stands there.
 *
 * @throws {StoreError} `keys` where another bot has put down another key by this name since it was looked at.
 */
export async function addSeal(
  write: Write,
  sealer: Sealer,
  {seals, keys: [first]}: {seals: readonly Seal[]; keys: readonly SealingKey[]},
): Promise<void> {
  const newest = newestOf(seals)
  if (first === undefined || newest?.key_id === first.id) return
  const sealed = sealer.seal(CHECK, placeOf(first.id))
  // The clock may have gone back since.
  const first_at_ms = Math.max(Date.now(), (newest?.first_at_ms ?? 0) + 1)
  await write(async (transaction) => {
    const standing = await transaction
      .insertInto('seals')
      .values({key_id: first.id, sealed, first_at_ms})
      .onConflict((conflict) => conflict.column('key_id').doUpdateSet({first_at_ms}))
      .returningAll()
      .executeTakeFirstOrThrow()
    checkSeals([standing], sealer)
  })
}

function newestOf(seals: readonly Seal[]): Seal | undefined {
  return seals.reduce<Seal | undefined>(
    (newest, seal) =>
      newest === undefined || (seal.first_at_ms ?? 0) > (newest.first_at_ms ?? 0) ? seal : newest,
    undefined,
  )
}

function placeOf(keyId: string): {table: string; row: string; purpose: string} {
  return {table: 'seals', row: keyId, purpose: 'check'}
}
