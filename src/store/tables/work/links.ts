import {jsonNumber} from '../../database/json.ts'
import {type Kysely, type SqlBool, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {IS_AT_WORK, LINK_COLUMNS, linksIn, toColumn, toColumns, toLink} from './link-rows.ts'
import {
  type Ask,
  FOLLOWED,
  type Link,
  type LinkChange,
  type LinkState,
  type NewLink,
  type Place,
} from './link.ts'
import {newId} from '../new-id.ts'
import {nameIn} from '../pull-requests/naming.ts'
import {CARD} from './posts.ts'

export interface LinkStore {
  /**
   * The link of this place, made now unless it stands already. Of a thread that was there before, or a task of
   * it: the one that follows it in this channel, if there is one.
   */
  open(link: NewLink, nowMs: number): Promise<Link>
  byId(id: string): Promise<Link | undefined>
  byPlace(place: Place): Promise<Link | undefined>
  /** The work that this channel is the room of: where it stands there, or is about to. */
  inRoom(place: Pick<Place, 'team' | 'channel'>): Promise<Link | undefined>
  byRequest(requestId: string): Promise<Link | undefined>
  /** By which this thread was begun in the workspace: others of it stand in its room, or follow it elsewhere. */
  beginningOf(thread: {team: string; threadId: string}): Promise<Link | undefined>
  /** What the thread is created with, its message included. */
  askOf(id: string): Promise<Ask | undefined>
  /** What somebody asked for: all that is at work, and what came to rest since then. Newest first, 500 at most. */
  ofStarter(starter: {team: string; user: string}, sinceMs: number): Promise<Link[]>
  /**
   * Every link that a relay has to serve: those at work, those whose posts are not in their last form, those with something new to
   * show of a pull request, and those of the last week that have no card yet.
   */
  live(teams: readonly string[], nowMs: number): Promise<Link[]>
  atWork(team: string): Promise<Link[]>
  /** The link after the change; `undefined` when there is none with this id. */
  change(id: string, change: LinkChange): Promise<Link | undefined>
  /** The same, unless it has left this state or was started over since; `undefined` then. */
  changeIf(id: string, standing: Standing, change: LinkChange): Promise<Link | undefined>
  /** The captain whose home this channel is. */
  homeOf(channel: {team: string; channel: string}): Promise<Link | undefined>
  /** Makes the channel the home of this link alone; without one, of none. */
  setHome(channel: {team: string; channel: string}, linkId: string | undefined): Promise<void>
  /** Work that has ended starts over, with a new thread and this change. Of two who ask at once, one does it. */
  startOver(id: string, afresh: LinkChange): Promise<void>
}

/** What a decision about a link was made on. */
type Standing = Pick<Link, 'state' | 'attempt'>

/** Of work that has ended by then nobody waits for a card. */
const CARD_WITHIN_MS = 7 * 86_400_000
/** In the very words of its index. */
const IS_UNFINISHED = sql<SqlBool>`final = 0 and state != 'gone'`

export function createLinkStore(db: Kysely<Schema>, write: Write): LinkStore {
  const open = (link: NewLink, nowMs: number): Promise<Link> =>
    write(async (transaction) => {
      const {team, channel, slackThread} = link.place
      if (link.threadId !== undefined) {
        const standing = await linksIn(transaction)
          .where('team', '=', team)
          .where(sql<string>`channel || ''`, '=', channel)
          .where('thread_id', '=', link.threadId)
          .where('task_id', 'is', link.taskId ?? null)
          .where('state', '!=', 'ended' satisfies LinkState)
          .executeTakeFirst()
        if (standing !== undefined) return toLink(standing)
      }
      await transaction
        .insertInto('links')
        .values({
          id: newId(),
          team,
          channel,
          slack_thread: slackThread,
          state: (link.threadId === undefined ? 'starting' : 'open') satisfies LinkState,
          request_id: link.requestId,
          project_id: link.projectId,
          connection_id: link.connectionId ?? '',
          started_by: link.startedBy,
          status_since_ms: nowMs,
          ask: toColumn(link.ask),
          notes: toColumn(link.notes),
          thread_id: link.threadId ?? null,
          task_id: link.taskId ?? null,
          title: link.title ?? null,
          cursor: link.cursor ?? null,
          face: toColumn(link.face),
          plan: link.plan ?? null,
          rule: toColumn(link.rule),
          marks: '[]',
          created_at_ms: nowMs,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return toLink(await wherePlace(transaction, link.place).executeTakeFirstOrThrow())
    })

  const byId = async (id: string): Promise<Link | undefined> => {
    const row = await linksIn(db).where('id', '=', id).executeTakeFirst()
    return row && toLink(row)
  }

  const byPlace = async (place: Place): Promise<Link | undefined> => {
    const row = await wherePlace(db, place).executeTakeFirst()
    return row && toLink(row)
  }

  const inRoom: LinkStore['inRoom'] = async ({team, channel}) => {
    const room = await db
      .selectFrom('rooms')
      .select(['link_id', 'room_link_id'])
      .where('team', '=', team)
      .where('channel', '=', channel)
      .executeTakeFirst()
    return room && byId(room.room_link_id ?? room.link_id)
  }

  const byRequest = async (requestId: string): Promise<Link | undefined> => {
    const query = linksIn(db).where('request_id', '=', requestId)
    const row = await query.executeTakeFirst()
    return row && toLink(row)
  }

  const beginningOf: LinkStore['beginningOf'] = async ({team, threadId}) => {
    const row = await linksIn(db)
      .where('thread_id', '=', threadId)
      .where('team', '=', team)
      .where('task_id', 'is', null)
      .where('request_id', 'not like', `${FOLLOWED}%`)
      .orderBy('created_at_ms')
      .executeTakeFirst()
    return row && toLink(row)
  }

  const askOf: LinkStore['askOf'] = async (id) => {
    const row = await db.selectFrom('links').select('ask').where('id', '=', id).executeTakeFirst()
    return row?.ask == null ? undefined : (JSON.parse(row.ask) as Ask)
  }

  const ofStarter: LinkStore['ofStarter'] = async ({team, user}, sinceMs) => {
    const atWork: LinkState[] = ['starting', 'open']
    const rows = await linksIn(db)
      .where('team', '=', team)
      .where('started_by', '=', user)
      .where('moved', '=', 0)
      .where((eb) => eb.or([eb('state', 'in', atWork), eb('status_since_ms', '>=', sinceMs)]))
      .orderBy('status_since_ms', 'desc')
      .limit(500)
      .execute()
    return rows.map(toLink)
  }

  const live: LinkStore['live'] = async (teams, nowMs) => {
    const theirs = db.selectFrom('links').select('id as link_id').where('team', 'in', teams)
    const ids = theirs
      .where(IS_AT_WORK)
      .union(db.selectFrom('posts').select('link_id').where(IS_UNFINISHED))
      .union(
        db.selectFrom('named_pull_requests').select('link_id').whereRef('version', '>', 'shown'),
      )
      .union(
        theirs
          .where('created_at_ms', '>', nowMs - CARD_WITHIN_MS)
          .where((eb) =>
            eb.not(
              eb.exists(
                eb
                  .selectFrom('posts')
                  .select('key')
                  .whereRef('posts.link_id', '=', 'links.id')
                  .where('posts.key', '=', CARD),
              ),
            ),
          ),
      )
    const rows = await db
      .selectFrom(ids.as('live'))
      // SQLite takes the order of a cross join as it is: these few first, and not all links of the team.
      .crossJoin('links')
      .select(LINK_COLUMNS)
      .whereRef('links.id', '=', 'live.link_id')
      .where('team', 'in', teams)
      .execute()
    return rows.map(toLink)
  }

  const atWork: LinkStore['atWork'] = async (team) => {
    const rows = await linksIn(db).where('team', '=', team).where(IS_AT_WORK).execute()
    return rows.map(toLink)
  }

  const change: LinkStore['change'] = (id, change) =>
    write(async (transaction) => {
      const row = await changing(transaction, id, change).executeTakeFirst()
      return row && noteNamed(transaction, toLink(row), change)
    })

  const changeIf: LinkStore['changeIf'] = (id, {state, attempt}, change) =>
    write(async (transaction) => {
      const row = await changing(transaction, id, change)
        .where('state', '=', state)
        .where('attempt', '=', attempt)
        .executeTakeFirst()
      return row && noteNamed(transaction, toLink(row), change)
    })

  const startOver: LinkStore['startOver'] = (id, afresh) =>
    write(async (transaction) => {
      await transaction
        .updateTable('links')
        .set(({eb}) => ({
          ...toColumns(afresh),
          ...{room: null, moved: 0},
          attempt: eb('attempt', '+', 1),
          turn: eb('turn', '+', 1),
        }))
        .where('id', '=', id)
        .where('state', '=', 'ended' satisfies LinkState)
        .execute()
      // What waited for the old thread: whoever wrote it is asked whether it is for the new one.
      await transaction
        .updateTable('sends')
        .set({state: 'unsure', receipt_id: null, cursor: null})
        .where('link_id', '=', id)
        .where('state', 'in', ['waiting', 'hurrying', 'cancelling', 'holding'])
        .execute()
    })

  const homeOf: LinkStore['homeOf'] = async ({team, channel}) => {
    const row = await linksIn(db)
      .where('team', '=', team)
      .where('channel', '=', channel)
      .where('home', '=', 1)
      .executeTakeFirst()
    return row && toLink(row)
  }

  const setHome: LinkStore['setHome'] = ({team, channel}, linkId) =>
    write(async (transaction) => {
      const here = transaction
        .updateTable('links')
        .where('team', '=', team)
        .where('channel', '=', channel)
      await here.set({home: 0}).where('home', '=', 1).execute()
      if (linkId !== undefined) await here.set({home: 1}).where('id', '=', linkId).execute()
    })

  return {
    open,
    byId,
    byPlace,
    inRoom,
    byRequest,
    beginningOf,
    askOf,
    ofStarter,
    live,
    atWork,
    change,
    changeIf,
    homeOf,
    setHome,
    startOver,
  }
}

function changing(db: Transaction<Schema>, id: string, change: LinkChange) {
  return db
    .updateTable('links')
    .set(({eb}) => ({
      ...toColumns(change),
      ...(endsStop(change) && {stopped_by: UNLESS_STOPPING}),
      ...(isTurn(change) && {turn: eb('turn', '+', 1)}),
    }))
    .where('id', '=', id)
    .returning(LINK_COLUMNS)
}

async function noteNamed(
  transaction: Transaction<Schema>,
  link: Link,
  change: LinkChange,
): Promise<Link> {
  const isNamed = change.pullRequests !== undefined || change.pullRequest !== undefined
  if (isNamed) await nameIn(transaction, link)
  return link
}

/** Nobody has stopped this run. A stop that is yet to be answered stays: what begins meanwhile is interrupted by it. */
function endsStop(change: LinkChange): boolean {
  return 'stoppedBy' in change && change.stoppedBy === undefined
}

const UNLESS_STOPPING = sql<
  string | null
>`case when coalesce(${jsonNumber('stop', 'isAnswered')}, 1) = 1 then null else stopped_by end`

/** All of these change the card, too. */
function isTurn({state, muted, stoppedBy}: LinkChange): boolean {
  return state !== undefined || muted !== undefined || stoppedBy !== undefined
}

function wherePlace(db: Pick<Kysely<Schema>, 'selectFrom'>, place: Place) {
  return linksIn(db)
    .where('team', '=', place.team)
    .where('channel', '=', place.channel)
    .where('slack_thread', '=', place.slackThread)
}
