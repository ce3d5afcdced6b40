import {randomBytes} from 'node:crypto'
import type {Kysely, Selectable, Transaction} from 'kysely'
import type {Schema} from './database/schema.ts'
import type {Write} from './database/writer.ts'
import {newId} from './new-id.ts'

/**
 * `open → waiting | sent | refused | unsent | unsure`, `unsent → open | kept | cancelled`, `unsure → open | sent | kept`,
 * `waiting → hurrying | cancelling | unsure`, `hurrying → sent | unsure | cancelled | waiting`,
 * `cancelling → cancelled | sent | unsure | waiting`, `kept → unsent | cancelled`.
 *
 * `open`: about to go out; whether the platform has it is known only by its receipt or by looking.
 * `unsent`: it surely did not arrive, and may go out again. `unsure`: looking did not decide, and the
 * person is asked. `waiting`: the platform has it, and the agent gets it when its current work ends.
 * `sent`: the agent has it; its transcript entry, if it comes, moves it here from wherever it stands.
 * `hurrying` and `cancelling`: the platform is being asked to send it now, or to cancel it; asked again
 * after a crash. `cancelled`: the agent will never get it. `kept`: the work is archived; it goes out when its
 * sender says that it shall.
 */
type SendState =
  | 'open'
  | 'unsent'
  | 'waiting'
  | 'hurrying'
  | 'cancelling'
  | 'cancelled'
  | 'sent'
  | 'unsure'
  | 'refused'
  | 'kept'

/** With the platform, and not with the agent yet. */
const ON_THE_WAY: readonly SendState[] = ['waiting', 'hurrying', 'cancelling']

/** How a message's token stands in its first line. */
export function tokenMark(token: string): string {
  return `(slack:${token}):`
}

/** What the person wrote, without the line in front that says who. */
export function wordsOf({text}: Pick<Send, 'text'>): string {
  return text.slice(text.indexOf('\n') + 1)
}

const TOKEN = /\(slack:([0-9a-z]+)\):/g

/** A message on its way to a thread. */
export interface Send {
  id: string
  linkId: string
  inboxKey: string
  /** Stands in the message's first line, so that the transcript can be searched for it. */
  token: string
  /** The Slack message that it came from; empty when it came from none. */
  messageTs: string
  /** A Slack user. */
  sender: string
  /** As it goes out, its first line included. */
  text: string
  /** The link's cursor when it was opened: its transcript entry can only stand behind that. */
  cursor: string | undefined
  state: SendState
  /** What cancel and send-now name it by. */
  receiptId: string | undefined
  delivery: SendDelivery
  /** It was said where readers of the Slack thread don't see it: there it is quoted. */
  isQuoted: boolean
  createdAtMs: number
}

/** How it meets work in progress: section 4.1 of the platform's API. */
type SendDelivery = 'queue' | 'steer' | 'interrupt'

export type NewSend = Pick<Send, 'linkId' | 'inboxKey' | 'messageTs' | 'sender' | 'cursor'> & {
  /** The text as it goes out, given the token. */
  toText: (token: string) => string
  delivery?: SendDelivery
  /** `open` without. */
  state?: 'unsent' | 'kept'
  isQuoted?: boolean
}

export interface SendStore {
  /** The send of this inbox row; `isNew` only when it was made now, so that it surely never went out. */
  open(send: NewSend, nowMs: number): Promise<{send: Send; isNew: boolean}>
  byId(id: string): Promise<Send | undefined>
  unsure(linkId: string): Promise<Send[]>
  /** What the agent has not got yet, oldest first. */
  waiting(linkId: string): Promise<Send[]>
  /** All that was sent of one Slack message: the message itself, and what its edits made of it. Oldest first. */
  ofMessage(linkId: string, messageTs: string): Promise<Send[]>
  /** Of what has not gone out: other words, the first line as it was. False when it has. */
  reword(id: string, words: string): Promise<boolean>
  /** At once: the one is cancelled, and the other stands in its place. */
  replace(id: string, send: NewSend, nowMs: number): Promise<Send>
  /** The first one since then that the platform has, or may have. */
  firstSince(linkId: string, sinceMs: number): Promise<Send | undefined>
  /** The send that an entry of the transcript is: by its receipt, else by the token in its first line. */
  ofEntry(linkId: string, entry: {id: string; text: string}): Promise<Send | undefined>
  /** Its entry is in the transcript: the agent has it, wherever it stood. */
  arrive(id: string): Promise<void>
  /** True when the send stood in one of the states `from`: two who try at once cannot both win. */
  move(id: string, from: readonly SendState[], to: SendState, receiptId?: string): Promise<boolean>
}

export function createSendStore(db: Kysely<Schema>, write: Write): SendStore {
  const open: SendStore['open'] = (send, nowMs) =>
    write((transaction) => insert(transaction, send, nowMs))

  const byId = async (id: string): Promise<Send | undefined> => {
    const row = await db.selectFrom('sends').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toSend(row)
  }

  const unsure = async (linkId: string): Promise<Send[]> => {
    const rows = await db
      .selectFrom('sends')
      .selectAll()
      .where('link_id', '=', linkId)
      .where('state', '=', 'unsure' satisfies SendState)
      .execute()
    return rows.map(toSend)
  }

  const waiting = async (linkId: string): Promise<Send[]> => {
    const rows = await db
      .selectFrom('sends')
      .selectAll()
      .where('link_id', '=', linkId)
      .where('state', 'in', ON_THE_WAY)
      .orderBy('created_at_ms')
      .orderBy('message_ts')
      .execute()
    return rows.map(toSend)
  }

  const ofMessage: SendStore['ofMessage'] = async (linkId, messageTs) => {
    const rows = await db
      .selectFrom('sends')
      .selectAll()
      .where('link_id', '=', linkId)
      .where('message_ts', '=', messageTs)
      .orderBy('created_at_ms')
      .execute()
    return rows.map(toSend)
  }

  const reword: SendStore['reword'] = (id, words) =>
    write(async (transaction) => {
      const notGone: SendState[] = ['unsent', 'kept']
      const row = await transaction
        .selectFrom('sends')
        .select('text')
        .where('id', '=', id)
        .where('state', 'in', notGone)
        .executeTakeFirst()
      if (row === undefined) return false
      const text = row.text.slice(0, row.text.indexOf('\n') + 1) + words
      await transaction.updateTable('sends').set({text}).where('id', '=', id).execute()
      return true
    })

  const replace: SendStore['replace'] = (id, send, nowMs) =>
    write(async (transaction) => {
      const state: SendState = 'cancelled'
      await transaction.updateTable('sends').set({state}).where('id', '=', id).execute()
      return (await insert(transaction, send, nowMs)).send
    })

  const firstSince: SendStore['firstSince'] = async (linkId, sinceMs) => {
    const row = await db
      .selectFrom('sends')
      .selectAll()
      .where('link_id', '=', linkId)
      .where('created_at_ms', '>=', sinceMs)
      .where('state', 'in', [
        ...(['open', 'waiting', 'hurrying', 'sent', 'unsure'] as const),
      ] satisfies SendState[])
      .orderBy('created_at_ms')
      .executeTakeFirst()
    return row && toSend(row)
  }

  const ofEntry: SendStore['ofEntry'] = async (linkId, {id, text}) => {
    const [firstLine = ''] = text.split('\n', 1)
    const tokens = [...firstLine.matchAll(TOKEN)].flatMap(([, token]) => token ?? [])
    const row = await db
      .selectFrom('sends')
      .selectAll()
      .where('link_id', '=', linkId)
      .where((eb) =>
        tokens.length === 0
          ? eb('receipt_id', '=', id)
          : eb.or([eb('receipt_id', '=', id), eb('token', 'in', tokens)]),
      )
      .executeTakeFirst()
    return row && toSend(row)
  }

  const move: SendStore['move'] = (id, from, to, receiptId) =>
    write(async (transaction) => {
      const result = await transaction
        .updateTable('sends')
        .set({state: to, ...(receiptId !== undefined && {receipt_id: receiptId})})
        .where('id', '=', id)
        .where('state', 'in', from)
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    })

  const arrive: SendStore['arrive'] = (id) =>
    write(async (transaction) => {
      const state: SendState = 'sent'
      await transaction.updateTable('sends').set({state}).where('id', '=', id).execute()
    })

  return {
    ...{open, byId, unsure, waiting, ofMessage, firstSince},
    ...{reword, replace, ofEntry, arrive, move},
  }
}

/** The send of an inbox row, made now unless it stands already. */
async function insert(
  transaction: Transaction<Schema>,
  send: NewSend,
  nowMs: number,
): Promise<{send: Send; isNew: boolean}> {
  const token = randomBytes(5).readUIntBE(0, 5).toString(36).padStart(8, '0')
  const result = await transaction
    .insertInto('sends')
    .values({
      id: newId(),
      link_id: send.linkId,
      inbox_key: send.inboxKey,
      token,
      message_ts: send.messageTs,
      sender: send.sender,
      text: send.toText(token),
      cursor: send.cursor ?? null,
      state: send.state ?? ('open' satisfies SendState),
      delivery: send.delivery ?? 'queue',
      quoted: Number(send.isQuoted ?? false),
      created_at_ms: nowMs,
    })
    .onConflict((conflict) => conflict.column('inbox_key').doNothing())
    .executeTakeFirst()
  const row = await transaction
    .selectFrom('sends')
    .selectAll()
    .where('inbox_key', '=', send.inboxKey)
    .executeTakeFirstOrThrow()
  return {send: toSend(row), isNew: result.numInsertedOrUpdatedRows === 1n}
}

function toSend(row: Selectable<Schema['sends']>): Send {
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
    createdAtMs: row.created_at_ms,
  }
}
