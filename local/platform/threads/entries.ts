import {isoNow, type Clock} from '../clock.ts'
import type {Database} from '../database.ts'
import {createCursor} from '../id.ts'

/** A transcript entry before it commits; fields as in section 2.6. */
export interface EntryDraft {
  id: string
  source: 'user' | 'assistant' | 'tool'
  text: string
  tool?: string | undefined
  callId?: string | undefined
  model?: string | undefined
  attachments?: readonly unknown[] | undefined
  authorName?: string | undefined
}

/** A committed entry. `json` is what pages and streams both send, so that they cannot differ. */
export interface StoredEntry {
  seq: number
  cursor: string
  /** The call whose live frames this entry replaces. Section 6.3, rules 2 and 3. */
  settles: string | null
  json: string
}

/** The transcripts. The owner is the thread or the task that a transcript belongs to. */
export interface Entries {
  append(ownerId: string, draft: EntryDraft): StoredEntry
  after(ownerId: string, seq: number, limit: number): StoredEntry[]
  /** The position that a cursor of this transcript stands for. */
  seqOf(ownerId: string, cursor: string): number | undefined
  /** What a person said last. */
  lastUserText(threadId: string): string | undefined
  /** All that people said, in order. */
  userTexts(threadId: string): string[]
}

export function createEntries(database: Database, clock: Clock): Entries {
  database.exec(SCHEMA)
  const insert = database.prepare<
    Omit<StoredEntry, 'seq'> & {ownerId: string},
    Pick<StoredEntry, 'seq'>
  >(
    `insert into entries (cursor, ownerId, settles, json)
     values (@cursor, @ownerId, @settles, @json) returning seq`,
  )
  const touch = database.prepare(
    'update threads set lastActivityAt = @now, updatedAt = @now where id = @ownerId',
  )
  const after = database.prepare<[string, number, number], StoredEntry>(
    `select seq, cursor, settles, json from entries
     where ownerId = ? and seq > ? order by seq limit ?`,
  )
  const seqOf = database
    .prepare<[string, string], number>('select seq from entries where ownerId = ? and cursor = ?')
    .pluck()
  const lastUserText = database
    .prepare<[string], string>(
      `select json ->> 'text' from entries
       where ownerId = ? and json ->> 'source' = 'user' order by seq desc limit 1`,
    )
    .pluck()
  const userTexts = database
    .prepare<[string], string>(
      `select json ->> 'text' from entries
       where ownerId = ? and json ->> 'source' = 'user' order by seq`,
    )
    .pluck()
  return {
    append: (ownerId, draft) => {
      const createdAt = isoNow(clock)
      const entry = {
        cursor: createCursor(),
        settles: draft.callId ?? (draft.source === 'tool' ? draft.id : null),
        json: JSON.stringify({...draft, createdAt}),
      }
      const inserted = insert.get({...entry, ownerId})
      if (inserted === undefined) throw new Error('SQLite returned no row for an inserted entry.')
      touch.run({now: createdAt, ownerId})
      return {...entry, seq: inserted.seq}
    },
    after: (ownerId, seq, limit) => after.all(ownerId, seq, limit),
    seqOf: (ownerId, cursor) => seqOf.get(ownerId, cursor),
    lastUserText: (threadId) => lastUserText.get(threadId),
    userTexts: (threadId) => userTexts.all(threadId),
  }
}

const SCHEMA = `
create table if not exists entries (
  seq integer primary key autoincrement, cursor text not null unique, ownerId text not null,
  settles text, json text not null
) strict;
create index if not exists entriesOfOwner on entries (ownerId, seq);
`
