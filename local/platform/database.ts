import {mkdirSync} from 'node:fs'
import {dirname} from 'node:path'
import SqliteDatabase from 'better-sqlite3'

export type Database = SqliteDatabase.Database

/**
 * Opens the one file that holds everything the platform must not forget when its process dies.
 *
 * WAL with `synchronous=NORMAL` survives SIGKILL; only a power cut may lose the last commits, which
 * a stand-in can afford.
 */
export function openDatabase(file: string): Database {
  if (file !== ':memory:') mkdirSync(dirname(file), {recursive: true})
  const database = new SqliteDatabase(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  const version = Number(database.pragma('user_version', {simple: true}))
  if (version !== 0 && version !== SCHEMA_VERSION) {
    database.close()
    throw new Error(
      `${file} has schema ${version}, this platform writes ${SCHEMA_VERSION}: delete the file or name another one.`,
    )
  }
  database.exec(SCHEMA)
  database.pragma(`user_version = ${SCHEMA_VERSION}`)
  return database
}

const SCHEMA_VERSION = 1

/**
 * `threads.state` is the state without regard to archiving, so that unarchiving shows it again.
 * `runs` holds a row for each run in progress, with the first step that has not been committed.
 */
const SCHEMA = `
create table if not exists users (
  id text primary key, email text not null, firstName text not null, lastName text not null,
  active integer not null default 1
) strict;
create table if not exists projects (
  id text primary key, name text not null, description text not null, code text not null,
  repos text not null, createdAt text not null, updatedAt text not null
) strict;
create table if not exists keys (
  key text primary key, kind text not null, userId text not null references users (id), revokedAt text
) strict;
create table if not exists threads (
  seq integer primary key autoincrement, id text not null unique, requestId text not null unique,
  projectId text not null references projects (id), authorId text not null,
  title text not null, titleCustom integer not null, state text not null,
  archived integer not null default 0, modelId text not null, machineSize text,
  llmCredits integer not null default 0, vmCredits integer not null default 0,
  delivered integer not null default 0,
  createdAt text not null, updatedAt text not null, lastActivityAt text not null
) strict;
create table if not exists entries (
  seq integer primary key autoincrement, cursor text not null unique, threadId text not null,
  settles text, json text not null
) strict;
create index if not exists entriesOfThread on entries (threadId, seq);
create table if not exists messages (
  seq integer primary key autoincrement, id text not null unique, threadId text not null,
  text text not null, delivery text not null, modelId text, authorName text not null,
  state text not null
) strict;
create index if not exists waitingMessages on messages (threadId, seq) where state = 'waiting';
create table if not exists runs (
  threadId text primary key, text text not null, ordinal integer not null,
  turn integer not null, step integer not null
) strict;
`
