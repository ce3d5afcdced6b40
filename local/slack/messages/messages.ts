import type {SqlDatabase} from '../database.ts'
import type {SlackBlock} from '../blocks/block.ts'
import type {Persona} from './persona.ts'

export interface MessageMetadata {
  event_type: string
  event_payload: Record<string, unknown>
}

/** One message as it stands now. Field names are ours, blocks and metadata as they were sent. */
export interface StoredMessage {
  channel: string
  ts: string
  /** The parent's `ts`; absent on messages that stand in the channel itself. */
  threadTs?: string
  /** A reply that stands in the channel as well. */
  isBroadcast?: true
  userId: string
  /** Posted by the app. */
  botId?: string
  text: string
  blocks?: SlackBlock[]
  attachments?: unknown[]
  fileIds?: string[]
  metadata?: MessageMetadata
  /** The `(edited)` label: absent after an edit that carried blocks, as in Slack. */
  edited?: {userId: string; ts: string}
  reactions: {name: string; userIds: string[]}[]
  ephemeralTo?: string
  /** Slack wrote it: what happened to the channel, by `userId`. */
  system?: SystemNote
  persona?: Persona
  /** Of streamed messages; `errored`: its time ran out before the app stopped it. */
  streaming?: 'in_progress' | 'completed' | 'errored'
}

/** https://docs.slack.dev/reference/events/message#subtypes */
export interface SystemNote {
  subtype:
    'channel_join' | 'channel_leave' | 'channel_name' | 'channel_archive' | 'channel_unarchive'
  /** What Slack adds to such a message. */
  facts?: Record<string, string>
}

export interface MessageVersion {
  atMs: number
  kind: 'posted' | 'edited' | 'deleted'
  message: StoredMessage
}

interface ThreadSummary {
  replyCount: number
  replyUserIds: string[]
  latestReply: string
}

/** The record of conversations. Nothing is ever erased: a deleted message is only marked. */
export interface Messages {
  insert(message: StoredMessage): void
  replace(message: StoredMessage): void
  /** Reactions make no version: they are not what the author said. */
  saveReactions(message: StoredMessage): void
  markDeleted(message: StoredMessage): void
  find(channel: string, ts: string): StoredMessage | undefined
  /** A deleted parent that replies still hang on: Slack shows a tombstone in its stead. */
  tombstone(channel: string, ts: string): StoredMessage | undefined
  /** Oldest first, replies included, deleted ones and ephemerals left out. */
  inChannel(channel: string): StoredMessage[]
  /** Replies only, oldest first, deleted ones and ephemerals left out. */
  replies(channel: string, parentTs: string): StoredMessage[]
  ephemerals: (channel: string, userId: string) => StoredMessage[]
  /** All ephemerals, in every state that they had. */
  whispers: () => StoredMessage[]
  thread(channel: string, parentTs: string): ThreadSummary | undefined
  versions: (channel: string, ts: string) => MessageVersion[]
  latestTs(): string | undefined
}

export function createMessages(database: SqlDatabase, now: () => number): Messages {
  const writes = prepareWrites(database, now)
  const reads = prepareReads(database)
  return {...writes, ...reads}
}

type Writes = Pick<Messages, 'insert' | 'replace' | 'saveReactions' | 'markDeleted'>

function prepareWrites(database: SqlDatabase, now: () => number): Writes {
  const insert = database.prepare(
    `insert into messages (channel, ts, thread_ts, user_id, ephemeral_to, body)
     values (?, ?, ?, ?, ?, ?)`,
  )
  const update = database.prepare('update messages set body = ? where channel = ? and ts = ?')
  const mark = database.prepare('update messages set deleted = 1 where channel = ? and ts = ?')
  const version = database.prepare(
    'insert into versions (channel, ts, at_ms, kind, body) values (?, ?, ?, ?, ?)',
  )
  const keep = (message: StoredMessage, kind: MessageVersion['kind']): void => {
    version.run(message.channel, message.ts, Math.floor(now()), kind, JSON.stringify(message))
  }
  const save = (message: StoredMessage): void => {
    update.run(JSON.stringify(message), message.channel, message.ts)
  }
  return {
    insert: database.transaction((message: StoredMessage) => {
      const {channel, ts, threadTs = null, userId, ephemeralTo = null} = message
      insert.run(channel, ts, threadTs, userId, ephemeralTo, JSON.stringify(message))
      keep(message, 'posted')
    }),
    replace: database.transaction((message: StoredMessage) => {
      save(message)
      keep(message, 'edited')
    }),
    saveReactions: save,
    markDeleted: database.transaction((message: StoredMessage) => {
      mark.run(message.channel, message.ts)
      keep(message, 'deleted')
    }),
  }
}

interface Body {
  body: string
}

interface SummaryRow {
  replyCount: number
  latestReply: string | null
  userIds: string | null
}

const toMessage = ({body}: Body): StoredMessage => JSON.parse(body) as StoredMessage

function prepareReads(database: SqlDatabase): Omit<Messages, keyof Writes> {
  const select = (where: string) =>
    database.prepare<[string, string], Body>(`select body from messages where ${where} order by ts`)
  const one = select('channel = ? and ts = ? and deleted = 0')
  const gone = select('channel = ? and ts = ? and deleted = 1 and thread_ts is null')
  const replies = select('channel = ? and thread_ts = ? and deleted = 0 and ephemeral_to is null')
  const ephemerals = select('channel = ? and ephemeral_to = ? and deleted = 0')
  const inChannel = database.prepare<[string], Body>(
    'select body from messages where channel = ? and deleted = 0 and ephemeral_to is null order by ts',
  )
  const whispers = database.prepare<[], Body>(
    `select versions.body from versions join messages using (channel, ts)
     where ephemeral_to is not null order by versions.id`,
  )
  const versions = database.prepare<[string, string], Body & Omit<MessageVersion, 'message'>>(
    'select at_ms as atMs, kind, body from versions where channel = ? and ts = ? order by id',
  )
  // Answered by the index alone: parents are shaped often, and their threads grow long.
  const summary = database.prepare<[string, string], SummaryRow>(
    `select count(*) as replyCount, max(ts) as latestReply,
       group_concat(distinct user_id) as userIds
     from messages where channel = ? and thread_ts = ? and deleted = 0 and ephemeral_to is null`,
  )
  const latest = database.prepare<[], {ts: string | null}>('select max(ts) as ts from messages')
  return {
    find: (channel, ts) => one.all(channel, ts).map(toMessage)[0],
    tombstone: (channel, ts) => {
      const found = gone.all(channel, ts).map(toMessage)[0]
      return found !== undefined && replies.get(channel, ts) !== undefined ? found : undefined
    },
    inChannel: (channel) => inChannel.all(channel).map(toMessage),
    replies: (channel, ts) => replies.all(channel, ts).map(toMessage),
    ephemerals: (channel, userId) => ephemerals.all(channel, userId).map(toMessage),
    whispers: () => whispers.all().map(toMessage),
    thread: (channel, parentTs) => {
      const row = summary.get(channel, parentTs)
      if (row?.latestReply === undefined || row.latestReply === null) return undefined
      const {replyCount, latestReply} = row
      return {replyCount, latestReply, replyUserIds: (row.userIds ?? '').split(',')}
    },
    versions: (channel, ts) =>
      versions
        .all(channel, ts)
        .map(({atMs, kind, body}) => ({atMs, kind, message: toMessage({body})})),
    latestTs: () => latest.get()?.ts ?? undefined,
  }
}
