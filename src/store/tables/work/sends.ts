import {jsonNumber} from '../../database/json.ts'
import {randomBytes} from 'node:crypto'
import {type ExpressionBuilder, type Kysely, type Selectable, type Transaction, sql} from 'kysely'
import type {Schema} from '../../database/schema.ts'
import type {Write} from '../../database/writer.ts'
import type {Link, ModelChoice, Place, RejectedModel} from './link.ts'
import {newId} from '../new-id.ts'

/**
 * `open → waiting | sent | refused | unsent | unsure | holding`, `unsent → open | kept | cancelled | held`,
 * `unsure → open | sent | kept`, `waiting → hurrying | cancelling | unsure | holding`,
 * `hurrying → sent | unsure | cancelled | waiting`, `cancelling → cancelled | sent | unsure | waiting`,
 * `kept → unsent | cancelled`, `holding → held | late | unsure | waiting`, `held → unsent | cancelled`, `late → sent`.
 *
 * `open`: about to go out; whether the platform has it is known only by its receipt or by looking.
 * `unsent`: it surely did not arrive, and may go out again. `unsure`: looking did not decide, and the
 * person is asked. `waiting`: the platform has it, and the agent gets it when its current work ends.
 * `sent`: the agent has it; its transcript entry, if it comes, moves it here from wherever it stands.
 * `hurrying` and `cancelling`: the platform is being asked to send it now, or to cancel it; asked again
 * after a crash. `cancelled`: the agent will never get it. `kept`: the work is archived; it goes out when its
 * sender says that it shall. `holding`: the work is stopped, and the platform is being asked to give it back; asked
 * again after a crash. `held`: the platform has it no more, and it goes out when somebody says that it shall. `late`:
 * the work was stopped while it was on its way, and the agent has it all the same: what it began is to be interrupted.
 */
export type SendState =
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
  | 'holding'
  | 'held'
  | 'late'

/** With the platform, and not with the agent yet. */
const ON_THE_WAY: readonly SendState[] = ['waiting', 'hurrying', 'cancelling', 'holding']

/** The agent has it, or may well have, or gets it: whoever sent it has answered. */
export const WITH_THE_AGENT: readonly SendState[] = [
  ...(['open', 'waiting', 'hurrying', 'sent', 'unsure', 'late'] as const),
]

/** How a message's token stands in its first line. */
export function tokenMark(token: string): string {
  return `(slack:${token}):`
}

/** What the person wrote, without the line in front that says who. */
export function wordsOf({text}: Pick<Send, 'text'>): string {
  return text.slice(text.indexOf('\n') + 1)
}

const MAX_CURSORS = 50

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
  /** The Slack user who stopped the work while it was on its way. */
  stoppedBy: string | undefined
  /** The inbox row of what let it go out last: that of the message, or of a press. */
  inboxId: number | undefined
  /** The model that it goes with; `undefined`: whichever the work has. */
  model: ModelChoice | undefined
  /** The platform did not let it go with its model. */
  rejected: RejectedModel | undefined
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
  /** What was written before a stop has a smaller one than that. */
  inboxId?: number
  /** Without one it goes with what was chosen for the messages of its work; `default`: also not with that. */
  model?: ModelChoice | 'default'
}

export interface SendStore {
  /**
   * The send of this inbox row; `isNew` only when it was made now, so that it surely never went out. What was written
   * before the newest stop of the work is `held`.
   */
  open(send: NewSend, nowMs: number): Promise<{send: Send; isNew: boolean}>
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
  /** The first one since then that the platform has, or may have. */
  firstSince(linkId: string, sinceMs: number): Promise<Send | undefined>
  /** Where the transcript had come to when something was sent: the newest of them first, 50 at most. */
  cursorsOf(linkId: string): Promise<{cursor: string; atMs: number}[]>
  /** The send that an entry of the transcript is: by its receipt, else by the token in its first line. */
  ofEntry(linkId: string, entry: {id: string; text: string}): Promise<Send | undefined>
  /** Where else in Slack an entry of the link's thread was written, if it was. */
  placeOfEntry(
    link: Pick<Link, 'id' | 'threadId'>,
    entry: {id: string; text: string},
  ): Promise<Omit<Place, 'slackThread'> | undefined>
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

  const ofMessage: SendStore['ofMessage'] = async (linkId, messageTs) => {
    const rows = await ofLink(linkId)
      .where('message_ts', '=', messageTs)
      .orderBy('created_at_ms')
      .execute()
    return rows.map(toSend)
  }

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

  const firstSince: SendStore['firstSince'] = async (linkId, sinceMs) => {
    const row = await ofLink(linkId)
      .where('created_at_ms', '>=', sinceMs)
      .where('state', 'in', WITH_THE_AGENT)
      .orderBy('created_at_ms')
      .executeTakeFirst()
    return row && toSend(row)
  }

  const cursorsOf: SendStore['cursorsOf'] = async (linkId) => {
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

  const ofEntry: SendStore['ofEntry'] = async (linkId, entry) => {
    const row = await ofLink(linkId).where(isEntry(entry)).executeTakeFirst()
    return row && toSend(row)
  }

  const placeOfEntry: SendStore['placeOfEntry'] = async ({id, threadId}, entry) => {
    if (threadId === undefined) return undefined
    return db
      .selectFrom('links')
      .innerJoin('sends', 'sends.link_id', 'links.id')
      .select(['links.team', 'links.channel'])
      .where('links.thread_id', '=', threadId)
      .where('links.id', '!=', id)
      .where(isEntry(entry))
      .executeTakeFirst()
  }

  const move: SendStore['move'] = (id, from, to, receiptId) =>
    write(async (transaction) => {
      const result = await transaction
        .updateTable('sends')
        .set({state: whenStopped(to), ...(receiptId !== undefined && {receipt_id: receiptId})})
        .where('id', '=', id)
        .where('state', 'in', from)
        .executeTakeFirst()
      return result.numUpdatedRows === 1n
    })

  const arrive: SendStore['arrive'] = (id) =>
    write(async (transaction) => {
      const state = whenStopped('sent')
      await transaction.updateTable('sends').set({state}).where('id', '=', id).execute()
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
    open,
    byId,
    unsure,
    ofMessage,
    firstSince,
    cursorsOf,
    waiting: (linkId) => inStates(linkId, ON_THE_WAY),
    held: (linkId) => inStates(linkId, ['held']),
    hasLate: async (linkId) => (await inStates(linkId, ['late'])).length > 0,
    reword,
    rejectModel,
    remodel,
    replace,
    ofEntry,
    placeOfEntry,
    arrive,
    admit,
    release,
    move,
  }
}

/** By its receipt, else by the token in its first line. */
function isEntry({id, text}: {id: string; text: string}) {
  const [firstLine = ''] = text.split('\n', 1)
  const tokens = [...firstLine.matchAll(TOKEN)].flatMap(([, token]) => token ?? [])
  return (eb: ExpressionBuilder<Schema, 'sends'>) =>
    tokens.length === 0
      ? eb('sends.receipt_id', '=', id)
      : eb.or([eb('sends.receipt_id', '=', id), eb('sends.token', 'in', tokens)])
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

function toModel(column: string | null): {choice?: ModelChoice; rejected?: RejectedModel} {
  return column === null ? {} : (JSON.parse(column) as ReturnType<typeof toModel>)
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
