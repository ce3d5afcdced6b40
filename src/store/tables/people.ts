import type {Kysely} from 'kysely'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'

/** A Slack user. */
export interface Person {
  team: string
  user: string
}

/** Who somebody is on the platform, as far as it was looked for. */
interface Match {
  /** `undefined`: there was nobody. */
  platformUser: string | undefined
  lookedAtMs: number
}

export interface PeopleStore {
  /** `undefined`: it was never looked for. */
  matchOf(person: Person, connectionId: string | undefined): Promise<Match | undefined>
  keepMatch(person: Person, connectionId: string | undefined, match: Match): Promise<void>
}

export function createPeopleStore(db: Kysely<Schema>, write: Write): PeopleStore {
  return {
    matchOf: async ({team, user}, connectionId = '') => {
      const row = await db
        .selectFrom('matches')
        .select(['platform_user', 'looked_at_ms'])
        .where('team', '=', team)
        .where('user', '=', user)
        .where('connection_id', '=', connectionId)
        .executeTakeFirst()
      if (row === undefined) return undefined
      return {platformUser: row.platform_user ?? undefined, lookedAtMs: row.looked_at_ms}
    },
    keepMatch: async ({team, user}, connectionId = '', {platformUser, lookedAtMs}) => {
      const values = {platform_user: platformUser ?? null, looked_at_ms: lookedAtMs}
      await write((transaction) =>
        transaction
          .insertInto('matches')
          .values({team, user, connection_id: connectionId, ...values})
          .onConflict((conflict) =>
            conflict.columns(['team', 'user', 'connection_id']).doUpdateSet(values),
          )
          .execute(),
      )
    },
  }
}
