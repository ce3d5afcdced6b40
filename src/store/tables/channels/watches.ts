import type {Kysely, Selectable, Transaction} from 'kysely'
import {type AnnouncementState, APART, type Ending} from './announcement.ts'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'

/** A channel's subscription to "a thread needs you" for a project. */
interface Watch {
  team: string
  channel: string
  projectId: string
  /** The key that reads it; `undefined`: the one of the environment. */
  connectionId: string | undefined
  /** The Slack user who asked for it. */
  madeBy: string
}

/** A project as one key reads it. */
export type WatchedProject = Pick<Watch, 'projectId' | 'connectionId'>

export interface WatchStore {
  /** False: it stands already. What stands with another key is read with this one from now on. */
  add(watch: Watch, nowMs: number): Promise<boolean>
  ofChannel(team: string, channel: string): Promise<Watch[]>
  /** The channels that watch a project with this key. */
  channelsOf(project: WatchedProject): Promise<Pick<Watch, 'team' | 'channel' | 'madeBy'>[]>
  /**
   * Every project that somebody watches, once for each key that reads it, and by which workspace it is read: of those that
   * share it the first one. Only those that one of these reads.
   */
  projects(teams: readonly string[]): Promise<(WatchedProject & Pick<Watch, 'team'>)[]>
  /**
   * Ends them; all of the channel without a project, and by whichever key without one. What ended. What has not been announced
   * yet is not any more, and what has says that nobody here hears of it any more.
   */
  remove(place: RemovedWatches): Promise<Watch[]>
}

type RemovedWatches = Pick<Watch, 'team' | 'channel'> & {
  projectId?: string
  by?: Pick<Watch, 'connectionId'>
}

export function createWatchStore(db: Kysely<Schema>, write: Write): WatchStore {
  const add: WatchStore['add'] = ({team, channel, projectId, connectionId, madeBy}, nowMs) =>
    write(async (transaction) => {
      const standing = await transaction
        .selectFrom('watches')
        .select('connection_id')
        .where('team', '=', team)
        .where('channel', '=', channel)
        .where('project_id', '=', projectId)
        .executeTakeFirst()
      if (standing !== undefined && standing.connection_id !== (connectionId ?? '')) {
        await removeIn(transaction, {team, channel, projectId})
      }
      const result = await transaction
        .insertInto('watches')
        .values({
          id: newId(),
          team,
          channel,
          project_id: projectId,
          connection_id: connectionId ?? '',
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

  const channelsOf: WatchStore['channelsOf'] = async ({projectId, connectionId = ''}) => {
    const rows = await db
      .selectFrom('watches')
      .select(['team', 'channel', 'made_by'])
      .where('project_id', '=', projectId)
      .where('connection_id', '=', connectionId)
      .execute()
    return rows.map(({made_by: madeBy, ...place}) => ({...place, madeBy}))
  }

  const projects: WatchStore['projects'] = async (teams) => {
    const rows = await db
      .selectFrom('watches')
      .select(['project_id', 'connection_id', ({fn}) => fn.min('team').as('team')])
      .groupBy(['project_id', 'connection_id'])
      .execute()
    return rows.flatMap(({project_id: projectId, connection_id: id, team}) =>
      teams.includes(team) ? [{projectId, connectionId: id || undefined, team}] : [],
    )
  }

  const remove: WatchStore['remove'] = (place) =>
    write((transaction) => removeIn(transaction, place))

  return {add, ofChannel, channelsOf, projects, remove}
}

async function removeIn(
  transaction: Transaction<Schema>,
  {team, channel, projectId, by}: RemovedWatches,
): Promise<Watch[]> {
  const rows = await transaction
    .deleteFrom('watches')
    .where('team', '=', team)
    .where('channel', '=', channel)
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? ''))
    .$if(by !== undefined, (query) => query.where('connection_id', '=', by?.connectionId ?? ''))
    .returningAll()
    .execute()
  if (rows.length === 0) return []
  await forgetUnwatched(transaction)
  const stillHeardOf = transaction
    .selectFrom('watches')
    .innerJoin('sightings', (join) =>
      join
        .onRef('sightings.project_id', '=', 'watches.project_id')
        .onRef('sightings.connection_id', '=', 'watches.connection_id'),
    )
    .select('sightings.thread_id')
    .where('watches.team', '=', team)
    .where('watches.channel', '=', channel)
  const unposted: AnnouncementState[] = ['before', 'found', 'wanted', 'gone']
  await transaction
    .deleteFrom('announcements')
    .where('team', '=', team)
    .where('channel', '=', channel)
    .where('status', 'is not', null)
    .where('status', 'not in', APART)
    .where('state', 'in', unposted)
    .where((eb) => eb.not(eb('thread_id', 'in', stillHeardOf)))
    .execute()
  await transaction
    .updateTable('announcements')
    .set({ended_by: 'unwatched' satisfies Ending})
    .where('team', '=', team)
    .where('channel', '=', channel)
    .where('status', 'is not', null)
    .where('status', 'not in', APART)
    .where('ended_by', 'is', null)
    .where((eb) => eb.not(eb('thread_id', 'in', stillHeardOf)))
    .execute()
  return rows.map(toWatch)
}

function toWatch(row: Selectable<Schema['watches']>): Watch {
  const {team, channel, project_id: projectId, connection_id: connection, made_by: madeBy} = row
  return {team, channel, projectId, connectionId: connection || undefined, madeBy}
}

/** What nobody watches is not known any more: the next watch starts to count anew. */
export async function forgetUnwatched(transaction: Transaction<Schema>): Promise<void> {
  await transaction
    .deleteFrom('sightings')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('watches')
            .select('watches.id')
            .whereRef('watches.project_id', '=', 'sightings.project_id')
            .whereRef('watches.connection_id', '=', 'sightings.connection_id'),
        ),
      ),
    )
    .execute()
}
