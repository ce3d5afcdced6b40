import type {Kysely} from 'kysely'
import type {Schema} from '../database/schema.ts'
import {OPERATOR} from '../tables/audit.ts'
import type {Notice, Notices} from './notices.ts'

const EVERY_MS = 1000

/**
 * A file has one bot, so nobody misses what it tells. Tools work with the file beside it and can tell it nothing: that one of
 * them has changed what is set stands in the audit, whose newest rows cost next to nothing to look at.
 */
export async function openFileNotices(db: Kysely<Schema>): Promise<Notices> {
  const heard: ((notice: Notice) => void)[] = []
  const newest = async (): Promise<number> => {
    const query = db.selectFrom('audit').select(({fn}) => fn.max('id').as('id'))
    return (await query.executeTakeFirst())?.id ?? 0
  }
  let seen = await newest()
  let looking: Promise<void> | undefined

  const look = async (): Promise<void> => {
    const rows = await db
      .selectFrom('audit')
      .select(['id', 'user'])
      .where('id', '>', seen)
      .orderBy('id')
      .execute()
    seen = rows.at(-1)?.id ?? seen
    if (!rows.some(({user}) => user === OPERATOR)) return
    for (const listener of heard) listener({about: 'settings'})
  }

  const timer = setInterval(() => {
    // What cannot be read now is read by the next look; the store says why.
    looking ??= look()
      .catch(() => undefined)
      .finally(() => (looking = undefined))
  }, EVERY_MS).unref()

  return {
    tell: () => undefined,
    onHeard: (listener) => void heard.push(listener),
    onMissed: () => undefined,
    isListening: () => true,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      await looking
    },
  }
}
