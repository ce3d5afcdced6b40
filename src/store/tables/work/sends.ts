import {jsonNumber} from '../../database/json.ts'
import {randomBytes} from 'node:crypto'
import {type Kysely, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import type {ModelChoice, RejectedModel} from './link.ts'
import type {Send, SendDelivery, SendState} from './send.ts'
import {type SendLists, createSendLists, toModel, toSend} from './send-lists.ts'
import {newId} from '../new-id.ts'
import {answerArrived} from './questions.ts'

export type NewSend = Pick<Send, 'linkId' | 'inboxKey' | 'messageTs' | 'sender' | 'cursor'> & {
  /** The text as it goes out, given the token. */
  toText: (token: string) => string
  delivery?: SendDelivery
  /** `open` without. */
  state?: 'unsent' | 'kept'
  isQuoted?: boolean
  /** What was written before a stop has a smaller one than that. */
  inboxId?: number
  /** Without one it goes with what was chosen for the messages of its work; `default`: also not with that. */
  model?: ModelChoice | 'default'
}

export interface SendStore extends SendLists {
  /**
   * The send of this inbox row; `isNew` only when it was made now, so that it surely never went out. What was written
   * before the newest stop of the work is `held`.
   */
  open(send: NewSend, nowMs: number): Promise<{send: Send; isNew: boolean}>
  /** Of what has not gone out: other words, the first line as it was. False when it has. */
  reword(id: string, words: string): Promise<boolean>
  /** The platform does not take its model: it is `unsent`, and can go with another one. */
  rejectModel(id: string, rejected: RejectedModel): Promise<void>
  /**
   * Of what is `unsent`, by the inbox row of who says so: the model that it goes with (`undefined`: whichever the work
   * has). False where it is not, or was stopped since.
   */
  remodel(id: string, model: ModelChoice | undefined, inboxId: number): Promise<boolean>
  /** At once: the one is cancelled, and the other stands in its place. */
  replace(id: string, send: NewSend, nowMs: number): Promise<Send>
  /** Its entry is in the transcript: the agent has it, wherever it stood. */
  arrive(id: string): Promise<void>
  /** The platform has it; answers where it stands now. What was stopped meanwhile is `holding`. */
  admit(id: string, to: 'waiting' | 'sent', receiptId: string): Promise<SendState>
  /** As {@link SendStore.move}, by a press with this inbox row: no stop before that holds it back, and one after it does. */
  release(id: string, from: readonly SendState[], to: SendState, inboxId: number): Promise<boolean>
  /**
   * True when the send stood in one of the states `from`: two who try at once cannot both win. Of what was stopped
   * meanwhile, `sent` becomes `late`, and `unsent` becomes `held`.
   */
  move(id: string, from: readonly SendState[], to: SendState, receiptId?: string): Promise<boolean>
}

export function createSendStore(db: Kysely<Schema>, write: Write): SendStore {
  const open: SendStore['open'] = (send, nowMs) =>
    write((transaction) => insert(transaction, send, nowMs))

  const reword: SendStore['reword'] = (id, words) =>
    write(async (transaction) => {
      const notGone: SendState[] = ['unsent', 'kept', 'held']
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

  const rejectModel: SendStore['rejectModel'] = (id, rejected) =>
    write(async (transaction) => {
      const row = await transaction
        .selectFrom('sends')
        .select('model')
        .where('id', '=', id)
        .executeTakeFirst()
      const model = JSON.stringify({...toModel(row?.model ?? null), rejected})
      await transaction
        .updateTable('sends')
        .set({state: whenStopped('unsent'), model})
        .where('id', '=', id)
        .where('state', '=', 'open' satisfies SendState)
        .execute()
    })

  const remodel: SendStore['remodel'] = (id, choice, inboxId) =>
    write(async (transaction) => {
      const row = await transaction
        .selectFrom('sends')
        .select('link_id')
        .where('id', '=', id)
        .where('state', '=', 'unsent' satisfies SendState)
        .executeTakeFirst()
      const isStopped = row && (await isBeforeStop(transaction, {linkId: row.link_id, inboxId}))
      if (isStopped !== false) return false
      await transaction
        .updateTable('sends')
        .set({model: choice === undefined ? null : JSON.stringify({choice}), inbox_id: inboxId})
        .where('id', '=', id)
        .execute()
      return true
    })

  const replace: SendStore['replace'] = (id, send, nowMs) =>
    write(async (transaction) => {
      const state: SendState = 'cancelled'
      await transaction.updateTable('sends').set({state}).where('id', '=', id).execute()
      return (await insert(transaction, send, nowMs)).send
    })

  const move: SendStore['move'] = (id, from, to, receiptId) =>
    write(async (transaction) => {
      const result = await transaction
        .updateTable('sends')
        .set({state: whenStopped(to), ...(receiptId !== undefined && {receipt_id: receiptId})})
        .where('id', '=', id)
        .where('state', 'in', from)
        .executeTakeFirst()
      const isNews = result.numUpdatedRows === 1n
      if (isNews && to === 'sent') await answerArrived(transaction, id)
      return isNews
    })

  const arrive: SendStore['arrive'] = (id) =>
    write(async (transaction) => {
      const state = whenStopped('sent')
      await transaction.updateTable('sends').set({state}).where('id', '=', id).execute()
      await answerArrived(transaction, id)
    })

  const admit: SendStore['admit'] = (id, to, receiptId) =>
    write(async (transaction) => {
      const row = await transaction
        .selectFrom('sends')
        .select(['state', 'stopped_by'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      // Its entry may have been here first.
      if (row.state !== ('open' satisfies SendState)) return row.state as SendState
      const state: SendState = row.stopped_by === null ? to : 'holding'
      await transaction
        .updateTable('sends')
        .set({state, receipt_id: receiptId})
        .where('id', '=', id)
        .execute()
      await answerArrived(transaction, id)
      return state
    })

  const release: SendStore['release'] = (id, from, to, inboxId) =>
    write(async (transaction) => {
      const row = await transaction
        .selectFrom('sends')
        .select('link_id')
        .where('id', '=', id)
        .where('state', 'in', from)
        .executeTakeFirst()
      const isStopped = row && (await isBeforeStop(transaction, {linkId: row.link_id, inboxId}))
      if (isStopped !== false) return false
      await transaction
        .updateTable('sends')
        .set({state: to, stopped_by: null, inbox_id: inboxId})
        .where('id', '=', id)
        .execute()
      return true
    })

  return {
    ...createSendLists(db),
    open,
    reword,
    rejectModel,
    remodel,
    replace,
    arrive,
    admit,
    release,
    move,
  }
}

/** Where something lands whose work may have been stopped meanwhile. */
function whenStopped(to: SendState) {
  const instead: Partial<Record<SendState, SendState>> = {sent: 'late', unsent: 'held'}
  return sql<string>`case when stopped_by is null then ${to} else ${instead[to] ?? to} end`
}

/** The send of an inbox row, made now unless it stands already. */
async function insert(
  transaction: Transaction<Schema>,
  send: NewSend,
  nowMs: number,
): Promise<{send: Send; isNew: boolean}> {
  const {inboxId, state = 'open'} = send
  const isStopped = state !== 'kept' && (await isBeforeStop(transaction, send))
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
      state: isStopped ? ('held' satisfies SendState) : state,
      delivery: send.delivery ?? 'queue',
      quoted: Number(send.isQuoted ?? false),
      inbox_id: inboxId ?? null,
      model: await modelOf(transaction, send),
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

/** Its own, else what somebody chose for the messages of its work. */
async function modelOf(
  transaction: Transaction<Schema>,
  {model: own, linkId}: Pick<NewSend, 'model' | 'linkId'>,
): Promise<string | null> {
  if (own === 'default') return null
  if (own !== undefined) return JSON.stringify({choice: own})
  const row = await transaction
    .selectFrom('links')
    .select('model')
    .where('id', '=', linkId)
    .executeTakeFirst()
  return row?.model == null ? null : JSON.stringify({choice: JSON.parse(row.model) as ModelChoice})
}

/** Nothing that was written before somebody stopped the work goes out by itself. */
async function isBeforeStop(
  transaction: Transaction<Schema>,
  {linkId, inboxId}: Pick<NewSend, 'linkId' | 'inboxId'>,
): Promise<boolean> {
  if (inboxId === undefined) return false
  const row = await transaction
    .selectFrom('links')
    .select(jsonNumber('stop', 'inboxId').as('stopId'))
    .where('id', '=', linkId)
    .executeTakeFirst()
  return row?.stopId != null && inboxId < row.stopId
}
