import type {Kysely} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import type {Link} from './link.ts'
import {IS_AT_REST, linksIn, toLink} from './link-rows.ts'

/** A reaction of ours that may stand on the message that began the work. */
export interface StandingMark {
  /** Without colons. */
  name: string
  /** It was about to be put there, and nobody noted that it was. */
  isIntended: boolean
}

/** What may stand there is noted before a call that changes it, so that whoever starts again knows what to take away. */
export interface MarkStore {
  /** `undefined`: the work was begun before any of this was noted. */
  of(linkId: string): Promise<StandingMark[] | undefined>
  put(linkId: string, marks: readonly StandingMark[]): Promise<void>
  /** Links of a workspace that came to rest for good since then, and whose mark is none of `lasting`; what changed last comes first. */
  unsettled(
    team: string,
    lasting: readonly string[],
    {sinceMs, most}: {sinceMs: number; most: number},
  ): Promise<Link[]>
}

export function createMarkStore(db: Kysely<Schema>, write: Write): MarkStore {
  return {
    of: async (linkId) => {
      const row = await db
        .selectFrom('links')
        .select('marks')
        .where('id', '=', linkId)
        .executeTakeFirst()
      return row?.marks == null ? undefined : (JSON.parse(row.marks) as StandingMark[])
    },
    put: (linkId, marks) =>
      write(async (transaction) => {
        await transaction
          .updateTable('links')
          .set({marks: JSON.stringify(marks)})
          .where('id', '=', linkId)
          .execute()
      }),
    unsettled: async (team, lasting, {sinceMs, most}) => {
      const settled = lasting.map((name) => JSON.stringify([{name, isIntended: false}]))
      const rows = await linksIn(db)
        .where('team', '=', team)
        .where(IS_AT_REST)
        .where('status_since_ms', '>=', sinceMs)
        .where('marks', 'not in', settled)
        .orderBy('status_since_ms', 'desc')
        .limit(most)
        .execute()
      return rows.map(toLink)
    },
  }
}
