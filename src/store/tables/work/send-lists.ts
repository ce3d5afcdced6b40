import type {ExpressionBuilder, Kysely, Selectable} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Link, ModelChoice, Place, RejectedModel} from './link.ts'
import {type Send, type SendDelivery, type SendState, WITH_THE_AGENT} from './send.ts'

/** With the platform, and not with the agent yet. */
const ON_THE_WAY: readonly SendState[] = ['waiting', 'hurrying', 'cancelling', 'holding']

const MAX_CURSORS = 50

const TOKEN = /\(slack:([0-9a-z]+)\):/g

/** What was sent, as it is looked up. */
export interface SendLists {
  byId(id: string): Promise<Send | undefined>
  /** Oldest first. */
  unsure(linkId: string): Promise<Send[]>
  /** What the agent has not got yet, oldest first. */
  waiting(linkId: string): Promise<Send[]>
  /** What a stop has held back, oldest first. */
  held(linkId: string): Promise<Send[]>
  /** Whether the agent got something that a stop came too late for, and nobody has interrupted it yet. */
  hasLate(linkId: string): Promise<boolean>
  /** All that was sent of one Slack message: the message itself, and what its edits made of it. Oldest first. */
  ofMessage(linkId: string, messageTs: string): Promise<Send[]>
  /** The first one since then that the platform has, or may have. */
  firstSince(linkId: string, sinceMs: number): Promise<Send | undefined>
  /** Where the transcript had come to when something was sent: the newest of them first, 50 at most. */
  cursorsOf(linkId: string): Promise<{cursor: string; atMs: number}[]>
  /** What the link's agent was told of pull requests that wait for it, wherever in the workspace; oldest first. */
  fixes(link: Pick<Link, 'id' | 'threadId' | 'place'>): Promise<Send[]>
  /**
   * The send that an entry of the transcript is: by its receipt, else by the token in its first line. Whoever reads a token may
   * write it in front of other words ({@link isSaidBy}).
   */
  ofEntry(linkId: string, entry: {id: string; text: string}): Promise<Send | undefined>
  /**
   * The same of another link of the thread, and where it was written: the place of that link, or the room that had been
   * opened for it.
   */
  ofEntryElsewhere(
    link: Pick<Link, 'id' | 'threadId'>,
    entry: {id: string; text: string},
  ): Promise<{send: Send; place: Pick<Place, 'team' | 'channel' | 'isRoom'>} | undefined>
}

export function createSendLists(db: Kysely<Schema>): SendLists {
  const byId = async (id: string): Promise<Send | undefined> => {
    const row = await db.selectFrom('sends').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toSend(row)
  }

  const ofLink = (linkId: string) =>
    db.selectFrom('sends').selectAll().where('link_id', '=', linkId)

  const unsure = async (linkId: string): Promise<Send[]> => {
    const rows = await ofLink(linkId)
      .where('state', '=', 'unsure' satisfies SendState)
      .execute()
    const byTs = rows.toSorted((a, b) => (a.message_ts < b.message_ts ? -1 : 1))
    return byTs.toSorted((a, b) => a.created_at_ms - b.created_at_ms).map(toSend)
  }

  const inStates = async (linkId: string, states: readonly SendState[]): Promise<Send[]> => {
    const rows = await ofLink(linkId)
      .where('state', 'in', states)
      .orderBy('created_at_ms')
      .orderBy('message_ts')
      .execute()
    return rows.map(toSend)
  }

  const ofMessage: SendLists['ofMessage'] = async (linkId, messageTs) => {
    const rows = await ofLink(linkId)
      .where('message_ts', '=', messageTs)
      .orderBy('created_at_ms')
      .execute()
    return rows.map(toSend)
  }

  const firstSince: SendLists['firstSince'] = async (linkId, sinceMs) => {
    const row = await ofLink(linkId)
      .where('created_at_ms', '>=', sinceMs)
      .where('state', 'in', WITH_THE_AGENT)
      .orderBy('created_at_ms')
      .executeTakeFirst()
    return row && toSend(row)
  }

  const cursorsOf: SendLists['cursorsOf'] = async (linkId) => {
    const rows = await db
      .selectFrom('sends')
      .select(['cursor', 'created_at_ms'])
      .where('link_id', '=', linkId)
      .where('cursor', 'is not', null)
      .orderBy('created_at_ms', 'desc')
      .limit(MAX_CURSORS)
      .execute()
    return rows.map(({cursor, created_at_ms: atMs}) => ({cursor: cursor ?? '', atMs}))
  }

  const ofEntry: SendLists['ofEntry'] = async (linkId, entry) => {
    const row = await ofLink(linkId).where(isEntry(entry)).executeTakeFirst()
    return row && toSend(row)
  }

  const ofEntryElsewhere: SendLists['ofEntryElsewhere'] = async ({id, threadId}, entry) => {
    if (threadId === undefined) return undefined
    const row = await db
      .selectFrom('links')
      .innerJoin('sends', 'sends.link_id', 'links.id')
      .selectAll('sends')
      .select(['links.team', 'links.channel', 'links.room'])
      .where('links.thread_id', '=', threadId)
      .where('links.id', '!=', id)
      .where(isEntry(entry))
      .executeTakeFirst()
    if (row === undefined) return undefined
    const {team, channel, room, inbox_key: key} = row
    const opened = room === null ? undefined : (JSON.parse(room) as {channel: string}).channel
    const isSaidThere = opened !== undefined && key.includes(JSON.stringify(opened))
    const place = isSaidThere ? {team, channel: opened, isRoom: true as const} : {team, channel}
    return {send: toSend(row), place}
  }

  const fixes: SendLists['fixes'] = async ({id, threadId, place}) => {
    const rows = await db
      .selectFrom('sends')
      .selectAll()
      .where((eb) => {
        const own = eb('link_id', '=', id)
        if (threadId === undefined) return own
        const others = eb
          .selectFrom('links')
          .select('links.id')
          .where('links.team', '=', place.team)
          .where('links.thread_id', '=', threadId)
        return eb.or([own, eb('link_id', 'in', others)])
      })
      .where('inbox_key', 'like', '["fix",%')
      .orderBy('created_at_ms')
      .orderBy('id')
      .execute()
    return rows.map(toSend)
  }

  return {
    byId,
    fixes,
    unsure,
    ofMessage,
    firstSince,
    cursorsOf,
    ofEntry,
    ofEntryElsewhere,
    waiting: (linkId) => inStates(linkId, ON_THE_WAY),
    held: (linkId) => inStates(linkId, ['held']),
    hasLate: async (linkId) => (await inStates(linkId, ['late'])).length > 0,
  }
}

/** By its receipt, else by the token at the end of its first line: in front of it stands what people call themselves. */
function isEntry({id, text}: {id: string; text: string}) {
  const [firstLine = ''] = text.split('\n', 1)
  const token = [...firstLine.matchAll(TOKEN)].at(-1)?.[1]
  return (eb: ExpressionBuilder<Schema, 'sends'>) =>
    token === undefined
      ? eb('sends.receipt_id', '=', id)
      : eb.or([eb('sends.receipt_id', '=', id), eb('sends.token', '=', token)])
}

/** Whether an entry says what was sent, or the beginning of it; the platform may write the same letters in other ways. */
export function isSaidBy(
  {receiptId, text}: Pick<Send, 'receiptId' | 'text'>,
  entry: {id: string; text: string},
): boolean {
  const cut = entry.text.replace(/(?:…|\.{3})\s*$/, '')
  return receiptId === entry.id || lettersOf(text).startsWith(lettersOf(cut))
}

/** Without blanks, and what shows no more than they do. */
function lettersOf(text: string): string {
  return text.normalize('NFC').replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, '')
}

export function toSend(row: Selectable<Schema['sends']>): Send {
  const {choice, rejected} = toModel(row.model)
  return {
    id: row.id,
    linkId: row.link_id,
    inboxKey: row.inbox_key,
    token: row.token,
    messageTs: row.message_ts,
    sender: row.sender,
    text: row.text,
    cursor: row.cursor ?? undefined,
    state: row.state as SendState,
    receiptId: row.receipt_id ?? undefined,
    delivery: row.delivery as SendDelivery,
    isQuoted: row.quoted === 1,
    stoppedBy: row.stopped_by ?? undefined,
    inboxId: row.inbox_id ?? undefined,
    model: choice,
    rejected,
    createdAtMs: row.created_at_ms,
  }
}

export function toModel(column: string | null): {choice?: ModelChoice; rejected?: RejectedModel} {
  return column === null ? {} : (JSON.parse(column) as ReturnType<typeof toModel>)
}
