import type {SqlDatabase} from './database.ts'
import {createResponseUrls} from './delivery/response-urls.ts'
import {createLedger} from './edge/ledger.ts'
import {createFiles} from './files/files.ts'
import {createConversation} from './messages/conversation.ts'
import {createMessages} from './messages/messages.ts'
import {createTimestamps} from './messages/timestamps.ts'
import {createStreams} from './streams/streams.ts'
import {createChanges} from './workspace/changes.ts'

interface RecordParts {
  database: SqlDatabase
  origin: string
  now: () => number
  timeFactor: number
  /** How long a trigger lives. */
  triggerMs: number
}

/** What was said and done, in all workspaces: ids of channels, people and files belong to one each. */
export function openRecord({database, origin, now, timeFactor, triggerMs}: RecordParts) {
  const messages = createMessages(database, now)
  const timestamps = createTimestamps(now, messages.latestTs())
  const changes = createChanges()
  const files = createFiles({database, now, timeFactor})
  const conversation = createConversation({messages, changes, timestamps})
  return {
    database,
    origin,
    now,
    timeFactor,
    triggerMs,
    messages,
    timestamps,
    changes,
    files,
    conversation,
    streams: createStreams({database, messages, conversation, now, timeFactor}),
    responseUrls: createResponseUrls({database, messages, conversation, origin, now, timeFactor}),
    ledgerWriter: createLedger({now, versions: messages.versions}),
  }
}

export type SlackRecord = ReturnType<typeof openRecord>
