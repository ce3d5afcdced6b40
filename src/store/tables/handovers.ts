import type {Kysely} from 'kysely'
import {newId} from './new-id.ts'
import type {Schema} from '../database/schema.ts'
import type {Write} from '../database/writer.ts'

/** What was left of Slack's budgets, by method. */
export interface Pace {
  atMs: number
  left: Readonly<Record<string, number>>
  /** What was sent for messages last, where an owner before may still answer for an older call. */
  newest?: Readonly<Record<string, string>>
}

/** Slack wants no calls of a method there. */
interface Silence {
  method: string
  untilMs: number
}

/** What whoever works for a workspace leaves to the next one. */
export interface HandoverStore {
  /** What was left when it was given back, once; `undefined`: its owner fell silent, or there was none. */
  takePace(team: string): Promise<Pace | undefined>
  keepPace(team: string, pace: Pace): Promise<void>
  silences(team: string, nowMs: number): Promise<Silence[]>
  keepSilence(team: string, silence: Silence): Promise<void>
  /** What an owner before has done too late; oldest first. */
  confessions(team: string): Promise<Confession[]>
  confess(team: string, call: Confession['call'], nowMs: number): Promise<void>
  /** It has come to nothing. */
  absolve(team: string, id: string): Promise<void>
  /** Whether this message is one that somebody keeps. */
  isKept(team: string, message: {channel: string; ts: string}): Promise<boolean>
}

/** A call that was answered when it was somebody else's to make. */
interface Confession {
  id: string
  call: {did: 'made' | 'changed'; channel: string; ts: string}
}

export function createHandoverStore(db: Kysely<Schema>, write: Write): HandoverStore {
  const setPace = (team: string, pace: Pace | undefined): Promise<void> =>
    write(async (transaction) => {
      await transaction
        .updateTable('claims')
        .set({pace: pace === undefined ? null : JSON.stringify(pace)})
        .where('name', '=', team)
        .execute()
    })

  return {
    takePace: async (team) => {
      const query = db.selectFrom('claims').select('pace').where('name', '=', team)
      const pace = (await query.executeTakeFirst())?.pace ?? undefined
      if (pace === undefined) return undefined
      await setPace(team, undefined)
      return JSON.parse(pace) as Pace
    },
    keepPace: setPace,
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
    silences: async (team, nowMs) => {
      const rows = await db
        .selectFrom('silences')
        .select(['method', 'until_ms'])
        .where('team', '=', team)
        .where('until_ms', '>', nowMs)
        .execute()
      return rows.map(({method, until_ms: untilMs}) => ({method, untilMs}))
    },
    keepSilence: (team, {method, untilMs}) =>
      write(async (transaction) => {
        await transaction
          .insertInto('silences')
          .values({team, method, until_ms: untilMs})
          .onConflict((conflict) =>
            conflict.columns(['team', 'method']).doUpdateSet({until_ms: untilMs}),
          )
          .execute()
      }),
  }
}
