import {type Transaction, sql} from 'kysely'
import type {Schema} from './schema.ts'

/** What a commit relies on: that nobody else has this name since. */
export interface Claimed {
  name: string
  epoch: number
}

/** Somebody else works for this name now: what was to be changed in its place is not. */
export class ClaimLost extends Error {
  override name = 'ClaimLost' as const

  constructor(name: string) {
    super(`Another instance works for ${name} now`)
  }
}

/**
 * Which of these somebody else has by now. Those that nobody has stay so until the transaction is over: who claims one
 * waits for it.
 */
export async function changedHands<One extends Claimed>(
  db: Transaction<Schema>,
  claims: ReadonlySet<One>,
): Promise<ReadonlySet<One>> {
  if (claims.size === 0) return claims
  const rows = await db
    .selectFrom('claims')
    .select(['name', 'epoch'])
    .where(
      'name',
      'in',
      [...claims].map(({name}) => name),
    )
    // As everybody locks them, so that nobody waits for each other.
    .orderBy(sql`name collate "C"`)
    .forShare()
    .execute()
  const epochs = new Map(rows.map(({name, epoch}) => [name, epoch]))
  return new Set([...claims].filter(({name, epoch}) => epochs.get(name) !== epoch))
}
