import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import {createCursor} from '../id.ts'

/** A transcript entry before it commits; fields as in section 2.6. */
export interface EntryDraft {
  id: string
  source: 'user' | 'assistant' | 'tool'
  text: string
  tool?: string
  callId?: string
  model?: string
  attachments?: readonly []
  authorName?: string
}

/** A committed entry. `json` is what pages and streams both send, so that they cannot differ. */
export interface StoredEntry {
  seq: number
  cursor: string
  /** The call whose live frames this entry replaces. Section 6.3, rules 2 and 3. */
  settles: string | null
  json: string
}

/** The transcripts. */
export interface Entries {
  append(threadId: string, draft: EntryDraft): StoredEntry
  after(threadId: string, seq: number, limit: number): StoredEntry[]
  /** The position that a cursor of this thread stands for. */
  seqOf(threadId: string, cursor: string): number | undefined
  /** What a person said last. */
  lastUserText(threadId: string): string | undefined
}

export function createEntries(database: Database, clock: Clock): Entries {
  database.exec(SCHEMA)
  const insert = database.prepare<
    Omit<StoredEntry, 'seq'> & {threadId: string},
    Pick<StoredEntry, 'seq'>
  >(
    `insert into entries (cursor, threadId, settles, json)
     values (@cursor, @threadId, @settles, @json) returning seq`,
  )
  const touch = database.prepare(
    'update threads set lastActivityAt = @now, updatedAt = @now where id = @threadId',
  )
  const after = database.prepare<[string, number, number], StoredEntry>(
    `select seq, cursor, settles, json from entries
     where threadId = ? and seq > ? order by seq limit ?`,
  )
  const seqOf = database
    .prepare<[string, string], number>('select seq from entries where threadId = ? and cursor = ?')
    .pluck()
  const lastUserText = database
    .prepare<[string], string>(
      `select json ->> 'text' from entries
       where threadId = ? and json ->> 'source' = 'user' order by seq desc limit 1`,
    )
    .pluck()
  return {
    append: (threadId, draft) => {
      const createdAt = isoNow(clock)
      const entry = {
        cursor: createCursor(),
        settles: draft.callId ?? (draft.source === 'tool' ? draft.id : null),
        json: JSON.stringify({...draft, createdAt}),
      }
      const inserted = insert.get({...entry, threadId})
      if (inserted === undefined) throw new Error('SQLite returned no row for an inserted entry.')
      touch.run({now: createdAt, threadId})
      return {...entry, seq: inserted.seq}
    },
    after: (threadId, seq, limit) => after.all(threadId, seq, limit),
    seqOf: (threadId, cursor) => seqOf.get(threadId, cursor),
    lastUserText: (threadId) => lastUserText.get(threadId),
  }
}

const SCHEMA = `
create table if not exists entries (
  seq integer primary key autoincrement, cursor text not null unique, threadId text not null,
  settles text, json text not null
) strict;
create index if not exists entriesOfThread on entries (threadId, seq);
`
