import {randomBytes} from 'node:crypto'
import type {Kysely, Selectable} from 'kysely'
import type {AnnouncementState, Ending} from './announcements.ts'
import type {Schema} from './schema.ts'
import type {Write} from './writer.ts'

/** A channel's subscription to "a thread needs you" for a project. */
interface Watch {
  team: string
  channel: string
  projectId: string
  /** The Slack user who asked for it. */
  madeBy: string
}

export interface WatchStore {
  /** False: it stands already. */
  add(watch: Watch, nowMs: number): Promise<boolean>
  ofChannel(team: string, channel: string): Promise<Watch[]>
  /** Every project that somebody watches. */
  projects(): Promise<string[]>
  /**
   * Ends them; all of the channel without a project. What ended. What has not been announced yet is not any more, and
   * what has is over: a watch that begins again announces it anew.
   */
  remove(place: {team: string; channel: string; projectId?: string}): Promise<Watch[]>
}

export function createWatchStore(db: Kysely<Schema>, write: Write): WatchStore {
  const add: WatchStore['add'] = ({team, channel, projectId, madeBy}, nowMs) =>
    write(async (transaction) => {
      const result = await transaction
        .insertInto('watches')
        .values({
          id: randomBytes(9).toString('base64url'),
          team,
          channel,
          project_id: projectId,
          made_by: madeBy,
          made_at_ms: nowMs,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return result.numInsertedOrUpdatedRows === 1n
    })

  const ofChannel: WatchStore['ofChannel'] = async (team, channel) => {
    const rows = await db
      .selectFrom('watches')
      .selectAll()
      .where('team', '=', team)
      .where('channel', '=', channel)
      .orderBy('made_at_ms')
      .execute()
    return rows.map(toWatch)
  }

  const projects = async (): Promise<string[]> => {
    const rows = await db.selectFrom('watches').select('project_id').distinct().execute()
    return rows.map(({project_id: id}) => id)
  }

  const remove: WatchStore['remove'] = ({team, channel, projectId}) =>
    write(async (transaction) => {
      const rows = await transaction
        .deleteFrom('watches')
        .where('team', '=', team)
        .where('channel', '=', channel)
        .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? ''))
        .returningAll()
        .execute()
      if (rows.length === 0) return []
      // What nobody watches is not known any more: the next watch starts to count anew.
      const watched = transaction.selectFrom('watches').select('project_id')
      await transaction
        .deleteFrom('sightings')
        .where((eb) => eb.not(eb('project_id', 'in', watched)))
        .execute()
      const stillHeardOf = transaction
        .selectFrom('watches')
        .innerJoin('sightings', 'sightings.project_id', 'watches.project_id')
        .select('sightings.thread_id')
        .where('watches.team', '=', team)
        .where('watches.channel', '=', channel)
      const unposted: AnnouncementState[] = ['found', 'wanted', 'gone']
      await transaction
        .deleteFrom('announcements')
        .where('team', '=', team)
        .where('channel', '=', channel)
        .where('status', 'is not', null)
        .where('state', 'in', unposted)
        .where((eb) => eb.not(eb('thread_id', 'in', stillHeardOf)))
        .execute()
      await transaction
        .updateTable('announcements')
        .set({ended_by: 'over' satisfies Ending})
        .where('team', '=', team)
        .where('channel', '=', channel)
        .where('status', 'is not', null)
        .where('ended_by', 'is', null)
        .where((eb) => eb.not(eb('thread_id', 'in', stillHeardOf)))
        .execute()
      return rows.map(toWatch)
    })

  return {add, ofChannel, projects, remove}
}

function toWatch(row: Selectable<Schema['watches']>): Watch {
  return {team: row.team, channel: row.channel, projectId: row.project_id, madeBy: row.made_by}
}
