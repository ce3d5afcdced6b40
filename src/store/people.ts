import type {Kysely} from 'kysely'
import type {Schema} from './schema.ts'
import type {Write} from './writer.ts'

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
  matchOf(person: Person): Promise<Match | undefined>
  keepMatch(person: Person, match: Match): Promise<void>
}

export function createPeopleStore(db: Kysely<Schema>, write: Write): PeopleStore {
  return {
    matchOf: async ({team, user}) => {
      const row = await db
        .selectFrom('people')
        .select(['platform_user', 'looked_at_ms'])
        .where('team', '=', team)
        .where('user', '=', user)
        .executeTakeFirst()
      if (row === undefined || row.looked_at_ms === null) return undefined
      return {platformUser: row.platform_user ?? undefined, lookedAtMs: row.looked_at_ms}
    },
    keepMatch: ({team, user}, {platformUser, lookedAtMs}) =>
      write(async (transaction) => {
        const values = {platform_user: platformUser ?? null, looked_at_ms: lookedAtMs}
        await transaction
          .insertInto('people')
          .values({team, user, ...values})
          .onConflict((conflict) => conflict.columns(['team', 'user']).doUpdateSet(values))
          .execute()
      }),
  }
}
