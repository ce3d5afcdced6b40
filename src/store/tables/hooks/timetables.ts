import {type Kysely, type Selectable, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'
import {type BegunThread, addFound} from './runs.ts'

/** Five fields of cron, in a time zone. */
export interface Schedule {
  cron: string
  zone: string
}

/** When an automation that was made in a channel runs by itself, and how far what it begins was looked for. */
export interface Timetable {
  id: string
  team: string
  /** Where it was made: what it begins belongs there. */
  channel: string
  automationId: string
  /** The automation's. */
  name: string
  projectId: string
  connectionId: string | undefined
  /** What stands in the first words of all that it begins. */
  reference: string
  schedules: readonly Schedule[]
  /** What it begins is known in its channel alone. */
  isPrivate: boolean
  /** The Slack user who wants what it begins to be followed in its channel; `undefined`: nobody does. */
  followedBy: string | undefined
  /** The oldest moment of which nobody has looked for what it began: it may be to come. */
  momentMs: number
  /** How often it was looked for. */
  looks: number
}

type NewTimetable = Omit<Timetable, 'id' | 'followedBy' | 'looks'>

/** An automation, in the channel where it was made. */
type Made = Pick<Timetable, 'team' | 'channel' | 'automationId'>

export interface TimetableStore {
  /** Once for an automation of a channel. What it begins is looked for from its moment on. */
  add(timetable: NewTimetable): Promise<void>
  of(automation: Made): Promise<Timetable | undefined>
  ofChannel(team: string, channel: string): Promise<Timetable[]>
  /** What it begins, as somebody wishes, or not any more. */
  follow(automation: Made, user: string | undefined): Promise<void>
  /** Those whose moment has come and who are to be looked for, in the order of their times. */
  due(teams: readonly string[], nowMs: number): Promise<Timetable[]>
  /** When the first of them is to be looked for; it may be past. */
  nextDueAtMs(teams: readonly string[]): Promise<number | undefined>
  /** It was looked for in vain, `isCounted`, or nobody could look. */
  later(id: string, dueAtMs: number, isCounted: boolean): Promise<void>
  /** What was found, whether it is private now, and the next moment: all of it or none. Without one it goes. */
  advance(
    timetable: Timetable,
    found: readonly BegunThread[],
    momentMs: number | undefined,
    nowMs: number,
  ): Promise<void>
}

/** The platform begins the work at its moment. */
const FIRST_LOOK_MS = 2000
const AT_ONCE = 200

export function createTimetableStore(db: Kysely<Schema>, write: Write): TimetableStore {
  const made = ({team, channel, automationId}: Made) =>
    db
      .selectFrom('timetables')
      .selectAll()
      .where('team', '=', team)
      .where('channel', '=', channel)
      .where('automation_id', '=', automationId)

  // Read in the order in which they are due, not all of a workspace and sorted.
  const ownTeam = sql<string>`coalesce(team, '')`

  return {
    add: ({momentMs, ...about}) =>
      write(async (transaction) => {
        const {team, channel, automationId, name, reference, schedules} = about
        await transaction
          .insertInto('timetables')
          .values({
            ...{id: newId(), team, channel, automation_id: automationId, name, reference},
            ...{project_id: about.projectId, connection_id: about.connectionId ?? ''},
            schedules: JSON.stringify(schedules),
            is_private: Number(about.isPrivate),
            ...toTimes(momentMs),
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }),
    of: async (automation) => {
      const row = await made(automation).executeTakeFirst()
      return row && toTimetable(row)
    },
    ofChannel: async (team, channel) => {
      const rows = await db
        .selectFrom('timetables')
        .selectAll()
        .where('team', '=', team)
        .where('channel', '=', channel)
        .execute()
      return rows.map(toTimetable)
    },
    follow: ({team, channel, automationId}, user) =>
      write(async (transaction) => {
        await transaction
          .updateTable('timetables')
          .set({followed_by: user ?? null})
          .where('team', '=', team)
          .where('channel', '=', channel)
          .where('automation_id', '=', automationId)
          .execute()
      }),
    due: async (teams, nowMs) => {
      const rows = await db
        .selectFrom('timetables')
        .selectAll()
        .where(ownTeam, 'in', [...teams, ''])
        .where('due_at_ms', '<=', nowMs)
        .orderBy('due_at_ms')
        .limit(AT_ONCE)
        .execute()
      return rows.map(toTimetable)
    },
    nextDueAtMs: async (teams) => {
      const row = await db
        .selectFrom('timetables')
        .select('due_at_ms')
        .where(ownTeam, 'in', [...teams, ''])
        .where('due_at_ms', '>', 0)
        .orderBy('due_at_ms')
        .limit(1)
        .executeTakeFirst()
      return row?.due_at_ms
    },
    later: (id, dueAtMs, isCounted) =>
      write(async (transaction) => {
        await transaction
          .updateTable('timetables')
          .set(({eb}) => ({due_at_ms: dueAtMs, looks: eb('looks', '+', isCounted ? 1 : 0)}))
          .where('id', '=', id)
          .execute()
      }),
    advance: (timetable, found, momentMs, nowMs) =>
      write(async (transaction) => {
        await addFound(transaction, timetable, found, nowMs)
        const {id, isPrivate} = timetable
        if (momentMs === undefined) {
          await transaction.deleteFrom('timetables').where('id', '=', id).execute()
          return
        }
        await transaction
          .updateTable('timetables')
          .set({...toTimes(momentMs), looks: 0, is_private: Number(isPrivate)})
          .where('id', '=', id)
          .execute()
      }),
  }
}

function toTimes(momentMs: number) {
  return {moment_ms: momentMs, due_at_ms: momentMs + FIRST_LOOK_MS}
}

function toTimetable(row: Selectable<Schema['timetables']>): Timetable {
  return {
    ...{id: row.id, team: row.team, channel: row.channel, automationId: row.automation_id},
    ...{name: row.name, projectId: row.project_id, reference: row.reference},
    connectionId: row.connection_id || undefined,
    schedules: JSON.parse(row.schedules) as Schedule[],
    isPrivate: row.is_private === 1,
    followedBy: row.followed_by ?? undefined,
    momentMs: row.moment_ms,
    looks: row.looks,
  }
}
