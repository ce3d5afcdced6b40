import type {Delivery} from '../../../src/platform/model.ts'
import type {Database} from '../database.ts'
import {createId} from '../id.ts'

/**
 * A message is `waiting → delivered`, or `waiting → cancelled`, or `waiting → replaced` (send-now gives it a
 * new id). Only delivery makes it a transcript entry. Section 3.3.
 */
type MessageState = 'waiting' | 'delivered' | 'cancelled' | 'replaced'

export interface Message {
  id: string
  threadId: string
  text: string
  delivery: Delivery
  modelId: string | null
  authorName: string
  state: MessageState
}

/** What a message says and how it shall arrive. */
export interface Sending {
  text: string
  delivery: Delivery
  modelId?: string | undefined
  /** A client asked for it: what cannot be used is refused. */
  isModelAsked?: true
}

/** The messages that people sent, delivered or not. */
export interface Messages {
  add(message: Message): void
  find(threadId: string, id: string): Message | undefined
  move(id: string, state: MessageState): void
  /** The message that waits longest. */
  next(threadId: string): Message | undefined
  /** All waiting messages that steer, oldest first. */
  steering(threadId: string): Message[]
  /** Threads in which something waits. */
  waitingThreads(): string[]
}

export function createMessages(database: Database): Messages {
  database.exec(SCHEMA)
  const insert = database.prepare<Message>(
    `insert into messages (id, threadId, text, delivery, modelId, authorName, state)
     values (@id, @threadId, @text, @delivery, @modelId, @authorName, @state)`,
  )
  const find = database.prepare<[string, string], Message>(
    'select * from messages where threadId = ? and id = ?',
  )
  const move = database.prepare<[MessageState, string]>(
    'update messages set state = ? where id = ?',
  )
  const waiting = (rest: string): string =>
    `select * from messages where threadId = ? and state = 'waiting' ${rest}`
  const next = database.prepare<[string], Message>(waiting('order by seq limit 1'))
  const steering = database.prepare<[string], Message>(
    waiting(`and delivery = 'steer' order by seq`),
  )
  const waitingThreads = database
    .prepare<[], string>(`select distinct threadId from messages where state = 'waiting'`)
    .pluck()
  return {
    add: (message) => void insert.run(message),
    find: (threadId, id) => find.get(threadId, id),
    move: (id, state) => void move.run(state, id),
    next: (threadId) => next.get(threadId),
    steering: (threadId) => steering.all(threadId),
    waitingThreads: () => waitingThreads.all(),
  }
}

/** A new message, which waits. */
export function toMessage(threadId: string, sending: Sending, authorName: string): Message {
  return {
    id: createId('msg'),
    threadId,
    text: sending.text,
    delivery: sending.delivery,
    modelId: sending.modelId ?? null,
    authorName,
    state: 'waiting',
  }
}

const SCHEMA = `
create table if not exists messages (
  seq integer primary key autoincrement, id text not null unique, threadId text not null,
  text text not null, delivery text not null, modelId text, authorName text not null,
  state text not null
) strict;
create index if not exists waitingMessages on messages (threadId, seq) where state = 'waiting';
`
