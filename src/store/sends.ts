import {randomBytes} from 'node:crypto'
import type {Kysely, Selectable} from 'kysely'
import type {Schema} from './schema.ts'
import type {Write} from './writer.ts'

/**
 * `open → sent | refused`, `open → unsent → open`, `open → unsure → sent | open`.
 *
 * `open`: about to go out; whether the platform has it is known only by its receipt or by looking.
 * `unsent`: it surely did not arrive, and may go out again. `unsure`: looking did not decide, and the
 * person is asked.
 */
type SendState = 'open' | 'unsent' | 'sent' | 'unsure' | 'refused'

/** How a message's token stands in its first line. */
export function tokenMark(token: string): string {
  return `(slack:${token}):`
}

const TOKEN = /\(slack:([0-9a-z]+)\):/g

/** A message on its way to a thread. */
export interface Send {
  id: string
  linkId: string
  inboxKey: string
  /** Stands in the message's first line, so that the transcript can be searched for it. */
  token: string
  /** The Slack message that it came from. */
  messageTs: string
  /** A Slack user. */
  sender: string
  /** As it goes out, its first line included. */
  text: string
  /** The link's cursor when it was opened: its transcript entry can only stand behind that. */
  cursor: string | undefined
  state: SendState
  receiptId: string | undefined
}

export type NewSend = Pick<Send, 'linkId' | 'inboxKey' | 'messageTs' | 'sender' | 'cursor'> & {
  /** The text as it goes out, given the token. */
  toText: (token: string) => string
}

export interface SendStore {
  /** The send of this inbox row; `isNew` only when it was made now, so that it surely never went out. */
  open(send: NewSend, nowMs: number): Promise<{send: Send; isNew: boolean}>
  byId(id: string): Promise<Send | undefined>
  unsure(linkId: string): Promise<Send[]>
  /** The first one that was sent since then. */
  firstSince(linkId: string, sinceMs: number): Promise<Send | undefined>
  /** The send that an entry of the transcript is: by its receipt, else by the token in its first line. */
  ofEntry(linkId: string, entry: {id: string; text: string}): Promise<Send | undefined>
  /** True when the send stood in one of the states `from`: two who try at once cannot both win. */
  move(id: string, from: SendState[], to: SendState, receiptId?: string): Promise<boolean>
}

export function createSendStore(db: Kysely<Schema>, write: Write): SendStore {
  const open: SendStore['open'] = (send, nowMs) =>
    write(async (transaction) => {
      const token = randomBytes(5).readUIntBE(0, 5).toString(36).padStart(8, '0')
      const result = await transaction
        .insertInto('sends')
        .values({
          id: randomBytes(9).toString('base64url'),
          link_id: send.linkId,
          inbox_key: send.inboxKey,
          token,
          message_ts: send.messageTs,
          sender: send.sender,
          text: send.toText(token),
          cursor: send.cursor ?? null,
          state: 'open' satisfies SendState,
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
    })

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

  const firstSince: SendStore['firstSince'] = async (linkId, sinceMs) => {
    const row = await db
      .selectFrom('sends')
      .selectAll()
      .where('link_id', '=', linkId)
      .where('created_at_ms', '>=', sinceMs)
      .where('state', 'in', ['open', 'sent', 'unsure'] satisfies SendState[])
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

  return {open, byId, unsure, firstSince, ofEntry, move}
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
  }
}
