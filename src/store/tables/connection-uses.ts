import type {Kysely} from 'kysely'
import type {Schema} from '../database/schema.ts'
import {IS_AT_WORK, toLink} from './work/link-rows.ts'
import {BROUGHT, FOLLOWED, type Link} from './work/link.ts'

/** A piece of work that somebody began. */
interface Begun {
  requestId: string
  user: string
  channel: string
  atMs: number
}

/** What works with a key, and what was begun with it. */
export interface ConnectionUses {
  /** Links at work; `undefined`: with the key of the environment. */
  atWork(connectionId: string | undefined): Promise<Link[]>
  /** Channels that chose it, where its work stands, or that watch with it. */
  channels(connectionId: string | undefined): Promise<{team: string; channel: string}[]>
  watches(connectionId: string): Promise<{team: string; channel: string; projectId: string}[]>
  /** What people began since then (what only is followed was begun elsewhere), oldest first. */
  begunSince(of: {team: string; user?: string; channel?: string}, sinceMs: number): Promise<Begun[]>
}

export function createConnectionUses(db: Kysely<Schema>): ConnectionUses {
  const atWork: ConnectionUses['atWork'] = async (connectionId = '') => {
    const rows = await db
      .selectFrom('links')
      .selectAll()
      .where('connection_id', '=', connectionId)
      .where(IS_AT_WORK)
      .execute()
    return rows.map(toLink)
  }

  const channels: ConnectionUses['channels'] = async (connectionId = '') => {
    const [links, watches, bindings] = await Promise.all([
      db
        .selectFrom('links')
        .select(['team', 'channel'])
        .distinct()
        .where('connection_id', '=', connectionId)
        .where(IS_AT_WORK)
        .execute(),
      db
        .selectFrom('watches')
        .select(['team', 'channel'])
        .distinct()
        .where('connection_id', '=', connectionId)
        .execute(),
      db.selectFrom('bindings').selectAll().where('channel', '!=', '').execute(),
    ])
    const chosen = bindings.filter(({settings}) => {
      const {connectionId: named} = JSON.parse(settings) as {connectionId?: string | null}
      return named !== undefined && (named ?? '') === connectionId
    })
    const all = [...links, ...watches, ...chosen].map(({team, channel}) => ({team, channel}))
    return [...new Map(all.map((place) => [JSON.stringify(place), place])).values()]
  }

  const watches: ConnectionUses['watches'] = async (connectionId) => {
    const rows = await db
      .selectFrom('watches')
      .select(['team', 'channel', 'project_id'])
      .where('connection_id', '=', connectionId)
      .execute()
    return rows.map(({project_id: projectId, ...place}) => ({...place, projectId}))
  }

  const begunSince: ConnectionUses['begunSince'] = async ({team, user, channel}, sinceMs) => {
    const rows = await db
      .selectFrom('links')
      .select(['request_id', 'started_by', 'channel', 'created_at_ms'])
      .where('team', '=', team)
      .where('created_at_ms', '>', sinceMs)
      .where('request_id', 'not like', `${FOLLOWED}%`)
      .where('request_id', 'not like', `${BROUGHT}%`)
      // What the platform did not take cost nothing.
      .where((eb) => eb.or([eb('thread_id', 'is not', null), eb('state', '!=', 'ended')]))
      .$if(user !== undefined, (query) => query.where('started_by', '=', user ?? ''))
      .$if(channel !== undefined, (query) => query.where('channel', '=', channel ?? ''))
      .orderBy('created_at_ms')
      .execute()
    return rows.map(({request_id: requestId, started_by: by, channel, created_at_ms: atMs}) => {
      return {requestId, user: by, channel, atMs}
    })
  }
  return {atWork, channels, watches, begunSince}
}
