import {type Kysely, type Selectable, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import {newId} from '../new-id.ts'

/**
 * `found → wanted → intended → placed ⇄ over`, `intended → wanted`, from each of them `gone`, and `gone → wanted`. Or `before`.
 *
 * `found`: what it says is still being read. `wanted`: to be posted. `intended`: about to be posted; whether
 * Slack has it is known only by its answer or by looking. `placed`: it stands. `over`: it stands in its last
 * form. `gone`: Slack does not take it. `before`: it stood when the watch began, or the
 * place had work before it could be welcomed; it is not told.
 */
export type AnnouncementState =
  'before' | 'found' | 'wanted' | 'intended' | 'placed' | 'over' | 'gone'

/** A message of ours that stands in a channel: a state of a thread, or the head of a Slack thread. */
export interface Announcement {
  /** Opaque; it stands in buttons, and in the message's metadata. */
  id: string
  team: string
  channel: string
  threadId: string
  /** The key that reaches the thread; `undefined`: the one of the environment. */
  connectionId: string | undefined
  /** `undefined`: it is the head of a Slack thread that somebody asked for. */
  status: string | undefined
  words: AnnouncementWords
  state: AnnouncementState
  /** The message's, once it stands. */
  ts: string | undefined
  endedBy: Ending | undefined
  /** When it was made; of a receipt: when it is to be told, and others may join it until then. */
  madeAtMs: number
}

export interface AnnouncementWords {
  title?: string
  /** The platform's name of who the thread belongs to. */
  author?: string
  /** The agent's last words. */
  said?: string
  /** Of a head: the Slack user who asked for it. */
  askedBy?: string
  /** Of a head: what they asked for, which begins below it. */
  task?: string
  /** Of a head: it is a task's. */
  isTask?: true
  /** Of a head: it is a review's. */
  review?: ReviewWords
  /** Of a head: it is a captain's, whose name is the title. */
  isCaptain?: true
  /** What somebody answered here. */
  answer?: string
  /** Of a welcome: people of other companies read along. */
  isShared?: true
  /** Of a receipt: which hook took something, and how many deliveries came to what (not in those of earlier versions). */
  receipt?: {
    hookId: string
    name: string
    counts?: Readonly<Record<string, number>>
    /** What was found of the work that began. */
    runs?: readonly {id: string; threadId: string; title?: string}[]
  }
}

interface ReviewWords {
  repo: string
  number: number
  /** Of its page. */
  address?: string
  /** The commit. */
  headSha?: string
  /** It was over before anybody asked for it here. */
  isOver?: true
  /** It was under way, and its head says when that is over; absent in heads of earlier versions. */
  isLive?: true
}

/**
 * `over`, `answered`: elsewhere; `answered`: it goes on. `done`, `stopped`, `archived`: that has become of it. `hushed`: nobody here wants to hear of this thread any more. `unwatched`: nobody here
 * hears of it any more, and it may still be so. Else the Slack user who answered.
 */
export type Ending =
  | ('over' | 'answered' | 'done' | 'stopped' | 'archived' | 'hushed' | 'unwatched')
  | `${'U' | 'W'}${string}`

/** Slack's ids of people begin with one of two letters. */
export function toPerson(user: string): `U${string}` | `W${string}` {
  return user.startsWith('W') ? `W${user.slice(1)}` : `U${user.slice(1)}`
}

type NewHead = Pick<Announcement, 'id' | 'team' | 'channel' | 'threadId' | 'connectionId' | 'words'>

export interface AnnouncementStore {
  /** The head with this id, made now unless it stands already; one that Slack did not take is wanted once more. */
  open(head: NewHead, nowMs: number): Promise<Announcement>
  byId(id: string): Promise<Announcement | undefined>
  /** The head that stands there, if one does. */
  headAt(place: {team: string; channel: string; ts: string}): Promise<Announcement | undefined>
  /** Those of which it is not known yet what they say. */
  found(): Promise<Announcement[]>
  /** What all that tell this state of this thread say, where it was read with this key. */
  word(
    of: Pick<Announcement, 'threadId' | 'connectionId'> & {status: string},
    words: AnnouncementWords,
  ): Promise<void>
  /** What the workspace's channels do not show yet, oldest first; of receipts, those whose time has come. */
  due(team: string, nowMs: number): Promise<Announcement[]>
  /** When the time of a receipt of the workspace comes that is still held back. */
  nextDueAtMs(team: string, nowMs: number): Promise<number | undefined>
  /**
   * The place is welcomed, unless it was before, or work was begun there: people know then. One that Slack did not take is
   * wanted once more.
   *
   * @returns the welcome that is yet to be posted.
   */
  welcome(
    place: {team: string; channel: string},
    words: AnnouncementWords,
    nowMs: number,
  ): Promise<Announcement | undefined>
  /** It is about to be posted as it was drawn here. False: it says something else by now. */
  intend(drawn: Announcement): Promise<boolean>
  move(id: string, state: AnnouncementState, ts?: string): Promise<void>
  /** It stands as it was drawn here, which was its last form unless its ending has changed since. */
  close(drawn: Announcement): Promise<void>
  end(id: string, by: Ending, answer?: string): Promise<void>
  /** These channels hear that the platform refuses the key that they work with, unless they do hear it. True: one is new. */
  refuseKey(
    connectionId: string | undefined,
    places: readonly {team: string; channel: string}[],
    nowMs: number,
  ): Promise<boolean>
  /** When a channel that still hears that the key is refused was told last. */
  keyRefusedAtMs(connectionId: string | undefined): Promise<number | undefined>
  /** The key is taken again. True: a channel had heard that it was not. */
  acceptKey(connectionId: string | undefined, by: Ending): Promise<boolean>
}

/** The status of an announcement that is about a key, and not about a thread. */
export const KEY_REFUSED = 'key-refused'

/**
 * The status of an announcement that tells what came of deliveries to a hook. It may come to tell of more until it is on its
 * way, and may be held back until the time that it bears; once it stands it changes only to name the work that began.
 */
export const HOOK_RECEIPT = 'hook-receipt'

/** The status of what a channel, or somebody in their direct messages, is told first of all: once, for good. */
export const WELCOME = 'welcome'

/** Those that have nothing to do with what a channel watches. */
export const APART: readonly string[] = [KEY_REFUSED, HOOK_RECEIPT, WELCOME]

/** So many are looked at in one go. */
const AT_ONCE = 500

/** In the very words of the index that holds these alone. */
const IS_DUE = sql<boolean>`(state in ('wanted', 'intended') or (state = 'placed' and ended_by is not null))`

export function createAnnouncementStore(db: Kysely<Schema>, write: Write): AnnouncementStore {
  const open: AnnouncementStore['open'] = (head, nowMs) =>
    write(async (transaction) => {
      const {id, team, channel, threadId, connectionId = '', words: said} = head
      const state: AnnouncementState = 'wanted'
      const fresh = {words: JSON.stringify(said), state, made_at_ms: nowMs}
      await transaction
        .insertInto('announcements')
        .values({id, team, channel, thread_id: threadId, connection_id: connectionId, ...fresh})
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet(fresh)
            .where('announcements.status', 'is', null)
            .where('announcements.state', '=', 'gone' satisfies AnnouncementState),
        )
        .execute()
      const row = await transaction
        .selectFrom('announcements')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return toAnnouncement(row)
    })

  const all = db.selectFrom('announcements').selectAll()

  const byId: AnnouncementStore['byId'] = async (id) => {
    const row = await all.where('id', '=', id).executeTakeFirst()
    return row && toAnnouncement(row)
  }

  const headAt: AnnouncementStore['headAt'] = async ({team, channel, ts}) => {
    const row = await all
      .where('team', '=', team)
      .where('channel', '=', channel)
      .where('ts', '=', ts)
      .where('status', 'is', null)
      .executeTakeFirst()
    return row && toAnnouncement(row)
  }

  const found = async (): Promise<Announcement[]> => {
    const rows = await all
      .where('state', '=', 'found' satisfies AnnouncementState)
      .orderBy('made_at_ms')
      .limit(AT_ONCE)
      .execute()
    return rows.map(toAnnouncement)
  }

  const word: AnnouncementStore['word'] = ({threadId, status, connectionId = ''}, words) =>
    write(async (transaction) => {
      await transaction
        .updateTable('announcements')
        .set({words: JSON.stringify(words), state: 'wanted' satisfies AnnouncementState})
        .where('state', '=', 'found' satisfies AnnouncementState)
        .where('thread_id', '=', threadId)
        .where('status', '=', status)
        .where('connection_id', '=', connectionId)
        .execute()
    })

  const due: AnnouncementStore['due'] = async (team, nowMs) => {
    const rows = await all
      .where('team', '=', team)
      .where(IS_DUE)
      .where((eb) =>
        eb.or([
          eb('status', 'is', null),
          eb('status', '!=', HOOK_RECEIPT),
          eb('made_at_ms', '<=', nowMs),
        ]),
      )
      .orderBy('made_at_ms')
      .limit(AT_ONCE)
      .execute()
    return rows.map(toAnnouncement)
  }

  const nextDueAtMs: AnnouncementStore['nextDueAtMs'] = async (team, nowMs) => {
    const {next} = await db
      .selectFrom('announcements')
      .select(({fn}) => fn.min<number | null>('made_at_ms').as('next'))
      .where('team', '=', team)
      .where(IS_DUE)
      .where('status', '=', HOOK_RECEIPT)
      .where('state', '=', 'wanted' satisfies AnnouncementState)
      .where('made_at_ms', '>', nowMs)
      .executeTakeFirstOrThrow()
    return next ?? undefined
  }

  const welcome: AnnouncementStore['welcome'] = async ({team, channel}, words, nowMs) => {
    const id = `${WELCOME}-${team}-${channel}`
    const known = await byId(id)
    if (known !== undefined && known.state !== 'gone') return unlessTold(known)
    await write(async (transaction) => {
      const work = await transaction
        .selectFrom('links')
        .select('id')
        .where('team', '=', team)
        .where('channel', '=', channel)
        .executeTakeFirst()
      const state: AnnouncementState = work === undefined ? 'wanted' : 'before'
      const fresh = {state, words: JSON.stringify(words), ended_by: null, made_at_ms: nowMs}
      await transaction
        .insertInto('announcements')
        .values({...{id, team, channel, thread_id: '', status: WELCOME}, ...fresh})
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet(fresh)
            .where('announcements.state', '=', 'gone' satisfies AnnouncementState),
        )
        .execute()
    })
    return unlessTold(await byId(id))
  }

  const intend: AnnouncementStore['intend'] = ({id, words}) =>
    write(async (transaction) => {
      const {numUpdatedRows} = await transaction
        .updateTable('announcements')
        .set({state: 'intended' satisfies AnnouncementState})
        .where('id', '=', id)
        .where('state', '=', 'wanted' satisfies AnnouncementState)
        .where('words', '=', JSON.stringify(words))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })

  const move: AnnouncementStore['move'] = (id, state, ts) =>
    write(async (transaction) => {
      await transaction
        .updateTable('announcements')
        .set({state, ...(ts !== undefined && {ts})})
        .where('id', '=', id)
        .execute()
    })

  const close: AnnouncementStore['close'] = ({id, endedBy, words}) =>
    write(async (transaction) => {
      await transaction
        .updateTable('announcements')
        .set({state: 'over' satisfies AnnouncementState})
        .where('id', '=', id)
        .where('ended_by', 'is', endedBy ?? null)
        .where('words', '=', JSON.stringify(words))
        .execute()
    })

  const end: AnnouncementStore['end'] = (id, by, answer) =>
    write(async (transaction) => {
      const row = await transaction
        .selectFrom('announcements')
        .select('words')
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return
      const words = {...(JSON.parse(row.words) as AnnouncementWords), ...(answer && {answer})}
      // It may be over already, and say less: then it says this.
      const state: AnnouncementState = 'placed'
      await transaction
        .updateTable('announcements')
        .set({ended_by: by, words: JSON.stringify(words), state})
        .where('id', '=', id)
        .where('ts', 'is not', null)
        .execute()
    })

  const refuseKey: AnnouncementStore['refuseKey'] = (connectionId = '', places, nowMs) =>
    write(async (transaction) => {
      const heard = await transaction
        .selectFrom('announcements')
        .select(['team', 'channel'])
        .where('status', '=', KEY_REFUSED)
        .where('connection_id', '=', connectionId)
        .where('ended_by', 'is', null)
        .where('state', '!=', 'gone' satisfies AnnouncementState)
        .execute()
      const missing = places.filter(
        (place) => !heard.some((one) => one.team === place.team && one.channel === place.channel),
      )
      for (const {team, channel} of missing) {
        const row = {id: newId(), team, channel, thread_id: ''}
        const said = {status: KEY_REFUSED, words: '{}', connection_id: connectionId}
        const state: AnnouncementState = 'wanted'
        await transaction
          .insertInto('announcements')
          .values({...row, ...said, state, made_at_ms: nowMs})
          .execute()
      }
      return missing.length > 0
    })

  const keyRefusedAtMs: AnnouncementStore['keyRefusedAtMs'] = async (connectionId = '') => {
    const newest = await db
      .selectFrom('announcements')
      .select(({fn}) => fn.max('made_at_ms').as('atMs'))
      .where('status', '=', KEY_REFUSED)
      .where('connection_id', '=', connectionId)
      .where('ended_by', 'is', null)
      .executeTakeFirst()
    return newest?.atMs ?? undefined
  }

  const acceptKey: AnnouncementStore['acceptKey'] = (connectionId = '', by) =>
    write(async (transaction) => {
      const {numUpdatedRows} = await transaction
        .updateTable('announcements')
        .set({ended_by: by})
        .where('status', '=', KEY_REFUSED)
        .where('connection_id', '=', connectionId)
        .where('ended_by', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })

  return {
    ...{open, byId, headAt, found, word, due, nextDueAtMs, welcome, intend, move, close, end},
    ...{refuseKey, keyRefusedAtMs, acceptKey},
  }
}

/** A welcome that does not stand yet. */
function unlessTold(welcome: Announcement | undefined): Announcement | undefined {
  return welcome?.state === 'over' || welcome?.state === 'before' ? undefined : welcome
}

function toAnnouncement(row: Selectable<Schema['announcements']>): Announcement {
  return {
    id: row.id,
    team: row.team,
    channel: row.channel,
    threadId: row.thread_id,
    connectionId: row.connection_id || undefined,
    status: row.status ?? undefined,
    words: JSON.parse(row.words) as AnnouncementWords,
    state: row.state as AnnouncementState,
    ts: row.ts ?? undefined,
    endedBy: (row.ended_by as Ending | null) ?? undefined,
    madeAtMs: row.made_at_ms,
  }
}
