import {type Kysely, sql} from 'kysely'
import type {AnnouncementState} from './channels/announcement.ts'
import {newId} from './new-id.ts'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'

/** What was left of Slack's budgets, by method. */
export interface Pace {
  left: Readonly<Record<string, number>>
  /** What was sent for messages last, where an owner before may still answer for an older call. */
  newest?: Readonly<Record<string, string>>
}

/** Slack wants no calls of a method there for so long. */
interface Silence {
  method: string
  forMs: number
}

/** What whoever works for a workspace leaves to the next one. Times go by the database's clock: those of machines differ. */
export interface HandoverStore {
  /** What was left when it was given back so long ago, once; `undefined`: its owner fell silent, or there was none. */
  takePace(team: string): Promise<(Pace & {agoMs: number}) | undefined>
  keepPace(team: string, pace: Pace): Promise<void>
  silences(team: string): Promise<Silence[]>
  /** A shorter one changes nothing. */
  keepSilence(team: string, silence: Silence): Promise<void>
  /** What an owner before has done too late; oldest first. */
  confessions(team: string): Promise<Confession[]>
  confess(team: string, call: Confession['call'], nowMs: number): Promise<void>
  /** It has come to nothing. */
  absolve(team: string, id: string): Promise<void>
  /** Whether this message is one that somebody keeps. */
  isKept(team: string, message: {channel: string; ts: string}): Promise<boolean>
  /** Whether an announcement in this channel may stand or not: any message there may turn out to be it. */
  isSought(team: string, of: {channel: string}): Promise<boolean>
}

/** A call that was answered when it was somebody else's to make. */
interface Confession {
  id: string
  call: {did: 'made' | 'changed'; channel: string; ts: string}
}

const NOW_MS = sql<number>`unixepoch('subsec') * 1000`

export function createHandoverStore(db: Kysely<Schema>, write: Write): HandoverStore {
  return {
    takePace: (team) =>
      write(async (transaction) => {
        const of = transaction.selectFrom('claims').where('name', '=', team)
        const found = await of.select(['pace', NOW_MS.as('now_ms')]).executeTakeFirst()
        if (found === undefined || found.pace === null) return undefined
        await transaction.updateTable('claims').set({pace: null}).where('name', '=', team).execute()
        const {atMs, ...pace} = JSON.parse(found.pace) as Pace & {atMs: number}
        return {...pace, agoMs: found.now_ms - atMs}
      }),
    keepPace: (team, pace) =>
      write(async (transaction) => {
        const of = transaction.selectFrom('claims').where('name', '=', team)
        const found = await of.select(NOW_MS.as('now_ms')).executeTakeFirst()
        const kept = JSON.stringify({...pace, atMs: found?.now_ms})
        await transaction.updateTable('claims').set({pace: kept}).where('name', '=', team).execute()
      }),
    confessions: async (team) => {
      const rows = await db
        .selectFrom('confessions')
        .select(['id', 'deed'])
        .where('team', '=', team)
        .orderBy('made_at_ms')
        .execute()
      return rows.map(({id, deed}) => ({id, call: JSON.parse(deed) as Confession['call']}))
    },
    confess: (team, call, nowMs) =>
      write(async (transaction) => {
        const deed = JSON.stringify(call)
        await transaction
          .insertInto('confessions')
          .values({id: newId(), team, deed, made_at_ms: nowMs})
          .execute()
      }),
    absolve: (team, id) =>
      write(async (transaction) => {
        await transaction
          .deleteFrom('confessions')
          .where('team', '=', team)
          .where('id', '=', id)
          .execute()
      }),
    isKept: async (team, {channel, ts}) => {
      const post = await db
        .selectFrom('posts')
        .innerJoin('links', 'links.id', 'posts.link_id')
        .select('posts.key')
        .where('links.team', '=', team)
        .where('links.channel', '=', channel)
        .where('posts.ts', '=', ts)
        .executeTakeFirst()
      if (post !== undefined) return true
      const question = await db
        .selectFrom('links')
        .innerJoin('questions', 'questions.link_id', 'links.id')
        .select('questions.id')
        .where('links.team', '=', team)
        .where('links.channel', '=', channel)
        .where('questions.ts', '=', ts)
        .executeTakeFirst()
      if (question !== undefined) return true
      const head = await db
        .selectFrom('links')
        .select('id')
        .where('team', '=', team)
        .where('channel', '=', channel)
        .where('slack_thread', '=', ts)
        .executeTakeFirst()
      if (head !== undefined) return true
      const announcement = await db
        .selectFrom('announcements')
        .select('id')
        .where('team', '=', team)
        .where('channel', '=', channel)
        .where('ts', '=', ts)
        .executeTakeFirst()
      return announcement !== undefined
    },
    isSought: async (team, {channel}) => {
      const announcement = await db
        .selectFrom('announcements')
        .select('id')
        .where('team', '=', team)
        .where('channel', '=', channel)
        .where('state', '=', 'intended' satisfies AnnouncementState)
        .limit(1)
        .executeTakeFirst()
      return announcement !== undefined
    },
    silences: async (team) => {
      const rows = await db
        .selectFrom('silences')
        .select(['method', sql<number>`until_ms - ${NOW_MS}`.as('for_ms')])
        .where('team', '=', team)
        .where('until_ms', '>', NOW_MS)
        .execute()
      return rows.map(({method, for_ms: forMs}) => ({method, forMs}))
    },
    keepSilence: (team, {method, forMs}) =>
      write(async (transaction) => {
        await transaction
          .insertInto('silences')
          .values({team, method, until_ms: sql<number>`${NOW_MS} + ${forMs}`})
          .onConflict((conflict) =>
            conflict
              .columns(['team', 'method'])
              .doUpdateSet((of) => ({until_ms: of.ref('excluded.until_ms')}))
              .whereRef('silences.until_ms', '<', 'excluded.until_ms'),
          )
          .execute()
      }),
  }
}
