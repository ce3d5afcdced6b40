import type {Kysely} from 'kysely'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'
import type {Person} from './people.ts'

export const NOISES = ['quiet', 'normal', 'verbose'] as const
/** What calls: `quiet`: needs you and failed. `verbose`: the end of short runs too. */
export type Noise = (typeof NOISES)[number]

/** What a person has chosen for themselves; what is absent is as everywhere. */
export interface Choices {
  noise?: Noise
  /** Calls come as direct messages too. */
  dm?: 'yes' | 'no'
  /** What work starts with where the message does not say. */
  model?: string
  effort?: string
  modes?: readonly string[]
  size?: string
  /** Where their work starts if neither the message nor the channel says. */
  project?: string
  /** They have seen in their App Home what we do. */
  welcomed?: 'yes'
}

export interface ChoiceStore {
  of(person: Person): Promise<Choices>
  /** A field that is present and `undefined` is taken back. */
  change(
    person: Person,
    change: {[Name in keyof Choices]?: Choices[Name] | undefined},
  ): Promise<void>
  /** Whether the platform knows the person: `unknown` until it was looked up. */
  onPlatform(person: Person): Promise<'yes' | 'no' | 'unknown'>
}

export function createChoiceStore(db: Kysely<Schema>, write: Write): ChoiceStore {
  const rowOf = (from: Pick<Kysely<Schema>, 'selectFrom'>, {team, user}: Person) =>
    from.selectFrom('people').selectAll().where('team', '=', team).where('user', '=', user)

  return {
    of: async (person) => toChoices((await rowOf(db, person).executeTakeFirst())?.choices),
    change: (person, change) =>
      write(async (transaction) => {
        const before = toChoices((await rowOf(transaction, person).executeTakeFirst())?.choices)
        const choices = JSON.stringify({...before, ...change})
        await transaction
          .insertInto('people')
          .values({...person, choices})
          .onConflict((conflict) => conflict.columns(['team', 'user']).doUpdateSet({choices}))
          .execute()
      }),
    onPlatform: async (person) => {
      const rows = await db
        .selectFrom('matches')
        .select('platform_user')
        .where('team', '=', person.team)
        .where('user', '=', person.user)
        .execute()
      if (rows.some(({platform_user: match}) => match !== null)) return 'yes'
      return rows.length === 0 ? 'unknown' : 'no'
    },
  }
}

function toChoices(column: string | null | undefined): Choices {
  return column == null ? {} : (JSON.parse(column) as Choices)
}
