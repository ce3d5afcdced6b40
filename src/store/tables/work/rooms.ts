import type {Kysely, Selectable, Updateable} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'
import {linksIn, toLink} from './link-rows.ts'
import {FOLLOWED, type Link, type LinkState} from './link.ts'

/**
 * Work that goes on in a channel of its own, one for each thread: asked for, then made (`channel`), then there (`roomLinkId`).
 * Slack knows it by the thread's id, so that whoever asks again comes to the same channel.
 */
interface Room {
  team: string
  threadId: string
  /** The link that it was opened from, and its channel. */
  linkId: string
  origin: string
  channel: string | undefined
  roomLinkId: string | undefined
  isClosed: boolean
  /** What stands around it, as it was told last. */
  shown: string | undefined
}

type Of = Pick<Room, 'team' | 'threadId'>

export interface RoomStore {
  /** The one of this thread, made now unless it stands already. */
  begin(room: Of & Pick<Room, 'linkId' | 'origin'>, nowMs: number): Promise<Room>
  of(thread: Of): Promise<Room | undefined>
  /** The one that this channel is. */
  at(place: {team: string; channel: string}): Promise<Room | undefined>
  /** Whether one of the workspace was asked for since then whose channel Slack has not said yet. */
  isMaking(team: string, sinceMs: number): Promise<boolean>
  /** Slack has this channel for it. */
  made(of: Of, channel: string): Promise<void>
  /** Slack will not make it: it may be asked for again. */
  drop(of: Of): Promise<void>
  /** What is said from now on is said in its channel, behind this message of ours. */
  open(of: Of, ts: string): Promise<void>
  /** The work moves, from the entry behind this cursor on: the link there, made now unless it stands already. */
  move(linkId: string, cursor: string | undefined, nowMs: number): Promise<Link | undefined>
  note(of: Of, what: {isClosed?: boolean; shown?: string}): Promise<void>
  /** The links that somebody has begun to open one for, and that do not say so yet. */
  unopened(team: string): Promise<string[]>
  /** The links that stand in those that are not put away, or whose work has come out of the archive since. */
  standing(team: string): Promise<Link[]>
  /** Whether the workspace has rooms, as Slack said it then; `undefined`: it was never asked. */
  support(team: string): Promise<{hasRooms: boolean; checkedAtMs: number} | undefined>
  noteSupport(team: string, hasRooms: boolean, nowMs: number): Promise<void>
}

export function createRoomStore(db: Kysely<Schema>, write: Write): RoomStore {
  const find = async (
    from: Pick<Kysely<Schema>, 'selectFrom'>,
    {team, threadId}: Of,
  ): Promise<Room | undefined> => {
    const row = await from
      .selectFrom('rooms')
      .selectAll()
      .where('team', '=', team)
      .where('thread_id', '=', threadId)
      .executeTakeFirst()
    return row && toRoom(row)
  }

  const begin: RoomStore['begin'] = (room, nowMs) =>
    write(async (transaction) => {
      const {team, threadId, linkId, origin} = room
      await transaction
        .insertInto('rooms')
        .values({team, thread_id: threadId, link_id: linkId, origin, made_at_ms: nowMs})
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const standing = await find(transaction, room)
      if (standing === undefined) throw new Error('A room was not written down')
      return standing
    })

  const at: RoomStore['at'] = async ({team, channel}) => {
    const row = await db
      .selectFrom('rooms')
      .selectAll()
      .where('team', '=', team)
      .where('channel', '=', channel)
      .executeTakeFirst()
    return row && toRoom(row)
  }

  const isMaking: RoomStore['isMaking'] = async (team, sinceMs) => {
    const row = await db
      .selectFrom('rooms')
      .select('thread_id')
      .where('team', '=', team)
      .where('channel', 'is', null)
      .where('made_at_ms', '>', sinceMs)
      .executeTakeFirst()
    return row !== undefined
  }

  const change = ({team, threadId}: Of, values: Updateable<Schema['rooms']>): Promise<void> =>
    write(async (transaction) => {
      await transaction
        .updateTable('rooms')
        .set(values)
        .where('team', '=', team)
        .where('thread_id', '=', threadId)
        .execute()
    })

  const drop: RoomStore['drop'] = ({team, threadId}) =>
    write(async (transaction) => {
      await transaction
        .deleteFrom('rooms')
        .where('team', '=', team)
        .where('thread_id', '=', threadId)
        .where('channel', 'is', null)
        .execute()
    })

  const open: RoomStore['open'] = (of, ts) =>
    write(async (transaction) => {
      const room = await find(transaction, of)
      if (room?.channel === undefined) return
      const {channel} = room
      await transaction
        .updateTable('links')
        .set({room: JSON.stringify({channel, ts})})
        .where('id', '=', room.linkId)
        .where('thread_id', '=', room.threadId)
        .where('room', 'is', null)
        .execute()
    })

  const move: RoomStore['move'] = (linkId, cursor, nowMs) =>
    write(async (transaction) => {
      const from = await transaction
        .selectFrom('links')
        .selectAll()
        .where('id', '=', linkId)
        .executeTakeFirst()
      if (from?.room == null || from.thread_id === null) return undefined
      const {channel, ts} = JSON.parse(from.room) as {channel: string; ts: string}
      const {team, thread_id: threadId, status, status_since_ms, run_since_ms} = from
      const {project_id, project_name, connection_id, title, started_by, face, rule} = from
      // What has ended it while the room was made has ended it there, too.
      const {state, notice} = from
      const {steps, credits, needs_you, last_model_id, model, pull_request, plan} = from
      if (from.moved === 0) {
        await transaction
          .insertInto('links')
          .values({
            ...{id: newId(), team, channel, slack_thread: ts, is_room: 1, state, notice},
            ...{request_id: `${FOLLOWED}${team}:${channel}:${ts}`, thread_id: threadId},
            ...{status, status_since_ms, run_since_ms, project_id, project_name, connection_id},
            ...{title, started_by, face, rule, steps, credits, needs_you, last_model_id, model},
            ...{pull_request, plan, cursor: cursor ?? null, marks: '[]', created_at_ms: nowMs},
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
      const made = await linksIn(transaction)
        .where('team', '=', team)
        .where('channel', '=', channel)
        .where('slack_thread', '=', ts)
        .executeTakeFirstOrThrow()
      await transaction.updateTable('links').set({moved: 1}).where('id', '=', linkId).execute()
      await transaction
        .updateTable('rooms')
        .set({room_link_id: made.id})
        .where('team', '=', team)
        .where('thread_id', '=', threadId)
        .execute()
      return toLink(made)
    })

  const standing: RoomStore['standing'] = async (team) => {
    const kept = db
      .selectFrom('rooms')
      .innerJoin('links as work', 'work.id', 'rooms.room_link_id')
      .select('work.id')
      .where('rooms.team', '=', team)
      .where((eb) =>
        eb.or([
          eb('rooms.is_closed', '=', 0),
          eb('work.state', '!=', 'archived' satisfies LinkState),
        ]),
      )
    const rows = await linksIn(db).where('id', 'in', kept).execute()
    return rows.map(toLink)
  }

  const unopened: RoomStore['unopened'] = async (team) => {
    const rows = await db
      .selectFrom('rooms')
      .innerJoin('links', 'links.id', 'rooms.link_id')
      .select('rooms.link_id')
      .where('rooms.team', '=', team)
      .where('rooms.room_link_id', 'is', null)
      .where('links.room', 'is', null)
      .execute()
    return rows.map((row) => row.link_id)
  }

  const support: RoomStore['support'] = async (team) => {
    const row = await db
      .selectFrom('room_support')
      .selectAll()
      .where('team', '=', team)
      .executeTakeFirst()
    return row && {hasRooms: row.has_rooms === 1, checkedAtMs: row.checked_at_ms}
  }

  const noteSupport: RoomStore['noteSupport'] = (team, hasRooms, nowMs) =>
    write(async (transaction) => {
      const said = {has_rooms: Number(hasRooms), checked_at_ms: nowMs}
      await transaction
        .insertInto('room_support')
        .values({team, ...said})
        .onConflict((conflict) => conflict.column('team').doUpdateSet(said))
        .execute()
    })

  return {
    begin,
    of: (of) => find(db, of),
    at,
    isMaking,
    made: (of, channel) => change(of, {channel}),
    drop,
    open,
    move,
    note: (of, {isClosed, shown}) =>
      change(of, {
        ...(isClosed !== undefined && {is_closed: Number(isClosed)}),
        ...(shown !== undefined && {shown}),
      }),
    unopened,
    standing,
    support,
    noteSupport,
  }
}

function toRoom(row: Selectable<Schema['rooms']>): Room {
  return {
    team: row.team,
    threadId: row.thread_id,
    linkId: row.link_id,
    origin: row.origin,
    channel: row.channel ?? undefined,
    roomLinkId: row.room_link_id ?? undefined,
    isClosed: row.is_closed === 1,
    shown: row.shown ?? undefined,
  }
}
