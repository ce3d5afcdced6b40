import {createHash} from 'node:crypto'
import type {Kysely, Transaction} from 'kysely'
import type {Schema} from '../../database/schema.ts'

/** For good: a thread by its id, or something else by what names it. */
export async function markPrivate(db: Transaction<Schema>, name: string): Promise<void> {
  await db
    .insertInto('private_threads')
    .values({thread_hash: hashOf(name), is_certain: 1})
    .onConflict((conflict) => conflict.column('thread_hash').doUpdateSet({is_certain: 1}))
    .execute()
}

/** It may have been private: nobody can be asked any more. */
export async function markUnknown(db: Transaction<Schema>, name: string): Promise<void> {
  await db
    .insertInto('private_threads')
    .values({thread_hash: hashOf(name), is_certain: 0})
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function isMarked(db: Kysely<Schema>, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('private_threads')
    .select('thread_hash')
    .where('thread_hash', '=', hashOf(name))
    .executeTakeFirst()
  return row !== undefined
}

export function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('base64url')
}
