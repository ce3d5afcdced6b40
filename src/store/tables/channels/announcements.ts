import {type Kysely, type Selectable, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {WatchedProject} from './watches.ts'
import type {Write} from '../../database/writer.ts'
import {LONGEST_WAIT_MS} from '../inbox.ts'
import {
  type Announcement,
  type AnnouncementState,
  type AnnouncementWords,
  type Ending,
  HOOK_RECEIPT,
  WELCOME,
} from './announcement.ts'
import {type RefusedKeys, createRefusedKeys} from './refused-keys.ts'

type NewHead = Pick<Announcement, 'id' | 'team' | 'channel' | 'threadId' | 'connectionId' | 'words'>

export interface AnnouncementStore extends RefusedKeys {
  /** The head with this id, made now unless it stands already; one that Slack did not take is wanted once more. */
  open(head: NewHead, nowMs: number): Promise<Announcement>
  byId(id: string): Promise<Announcement | undefined>
  /** The head that stands there, if one does. */
  headAt(place: {team: string; channel: string; ts: string}): Promise<Announcement | undefined>
  /** Those of which it is not known yet what they say. */
  found(of?: WatchedProject): Promise<Announcement[]>
  /** Those that were found so long ago, whatever project they are of. */
  leftBehind(beforeMs: number): Promise<Announcement[]>
  /** What all that tell this state of this thread say, where it was read with this key. */
  word(
    of: Pick<Announcement, 'threadId' | 'connectionId'> & {status: string},
    words: AnnouncementWords,
  ): Promise<void>
  /**
   * What the workspace's channels do not show yet, without these ids: first what is to be told, then what is over, each oldest first;
   * of receipts, those whose time has come.
   */
  due(team: string, nowMs: number, without?: readonly string[]): Promise<Announcement[]>
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
  /** `ts`: where it stands, of which somebody who pressed in it knows before us. Nothing, where nobody knows. */
  end(id: string, by: Ending, more?: {answer?: string; ts?: string | undefined}): Promise<void>
}

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

  const allFound = all
    .where('state', '=', 'found' satisfies AnnouncementState)
    .orderBy('made_at_ms')
    .limit(AT_ONCE)

  const found: AnnouncementStore['found'] = async (of) => {
    const rows = await allFound
      .$if(of !== undefined, (query) =>
        query.where((eb) =>
          eb.exists(
            eb
              .selectFrom('sightings')
              .select('sightings.thread_id')
              .where('sightings.connection_id', '=', of?.connectionId ?? '')
              .where('sightings.project_id', '=', of?.projectId ?? '')
              .whereRef('sightings.thread_id', '=', 'announcements.thread_id'),
          ),
        ),
      )
      .$if(of !== undefined, (query) => query.where('connection_id', '=', of?.connectionId ?? ''))
      .execute()
    return rows.map(toAnnouncement)
  }

  const leftBehind: AnnouncementStore['leftBehind'] = async (beforeMs) =>
    (await allFound.where('made_at_ms', '<', beforeMs).execute()).map(toAnnouncement)

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

  const due: AnnouncementStore['due'] = async (team, nowMs, without = []) => {
    const query = all
      .where('team', '=', team)
      .where(IS_DUE)
      .$if(without.length > 0, (query) => query.where('id', 'not in', without))
      .where((eb) =>
        eb.or([
          eb('status', 'is', null),
          eb('status', '!=', HOOK_RECEIPT),
          eb('made_at_ms', '<=', nowMs),
          // By a clock that was ahead: no receipt is held back for so long.
          eb('made_at_ms', '>', nowMs + LONGEST_WAIT_MS),
        ]),
      )
      .orderBy('made_at_ms')
    // What is over, of which there may be thousands at once, hides nothing that is yet to be told.
    const first = await query.where('ended_by', 'is', null).limit(AT_ONCE).execute()
    const over = query.where('ended_by', 'is not', null).limit(AT_ONCE - first.length)
    return [...first, ...(await over.execute())].map(toAnnouncement)
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
      .where('made_at_ms', '<=', nowMs + LONGEST_WAIT_MS)
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
      const row = await rowOf(transaction, id)
      const state: AnnouncementState = 'wanted'
      if (row?.state !== state || row.words !== JSON.stringify(words)) return false
      await changeRow(transaction, id, {state: 'intended'})
      return true
    })

  const move: AnnouncementStore['move'] = (id, state, ts) =>
    write((transaction) => changeRow(transaction, id, {state, ...(ts !== undefined && {ts})}))

  const close: AnnouncementStore['close'] = ({id, endedBy, words}) =>
    write(async (transaction) => {
      const row = await rowOf(transaction, id)
      const isAsDrawn = row?.ended_by === (endedBy ?? null) && row.words === JSON.stringify(words)
      if (isAsDrawn) await changeRow(transaction, id, {state: 'over'})
    })

  const end: AnnouncementStore['end'] = (id, by, {answer, ts: pressed} = {}) =>
    write(async (transaction) => {
      const row = await rowOf(transaction, id)
      const ts = row?.ts ?? pressed
      if (row === undefined || ts === undefined) return
      const words = {...(JSON.parse(row.words) as AnnouncementWords), ...(answer && {answer})}
      // It may be over already, and say less: then it says this.
      const state: AnnouncementState = 'placed'
      await changeRow(transaction, id, {ended_by: by, words: JSON.stringify(words), state, ts})
    })

  return {
    ...{
      open,
      byId,
      headAt,
      found,
      leftBehind,
      word,
      due,
      nextDueAtMs,
      welcome,
      intend,
      move,
      close,
      end,
    },
    ...createRefusedKeys(db, write),
  }
}

/**
 * What it says is compared with what was drawn here and not in a statement: whatever is bound there goes without secrets, also
 * those that nobody knew of when it was written down.
 */
async function rowOf(db: Kysely<Schema>, id: string) {
  return db.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst()
}

async function changeRow(
  db: Kysely<Schema>,
  id: string,
  change: {state?: AnnouncementState; ts?: string; ended_by?: Ending; words?: string},
): Promise<void> {
  await db.updateTable('announcements').set(change).where('id', '=', id).execute()
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
