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
  /** The project that somebody chose for their direct messages. */
  projectOf(person: Person): Promise<string | undefined>
  keepProject(person: Person, projectId: string): Promise<void>
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
    projectOf: async (person) => (await choicesOf(db, person)).project,
    keepProject: (person, project) =>
      write(async (transaction) => {
        const choices = JSON.stringify({...(await choicesOf(transaction, person)), project})
        await transaction
          .insertInto('people')
          .values({...person, choices})
          .onConflict((conflict) => conflict.columns(['team', 'user']).doUpdateSet({choices}))
          .execute()
      }),
  }
}

/** What somebody chose for themselves, as it stands in our column. */
interface Choices {
  project?: string
}

async function choicesOf(
  db: Pick<Kysely<Schema>, 'selectFrom'>,
  {team, user}: Person,
): Promise<Choices> {
  const row = await db
    .selectFrom('people')
    .select('choices')
    .where('team', '=', team)
    .where('user', '=', user)
    .executeTakeFirst()
  return row?.choices == null ? {} : (JSON.parse(row.choices) as Choices)
}
