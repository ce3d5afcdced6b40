import {mkdirSync} from 'node:fs'
import {dirname} from 'node:path'
import Database from 'better-sqlite3'

export type SqlDatabase = Database.Database

const schemaVersion = 2

const schema = `
  create table facts (name text primary key, value text not null) strict;
  create table records (
    kind text not null,
    scope text not null,
    id text not null,
    body text not null,
    primary key (kind, scope, id)
  ) strict;
  create table messages (
    channel text not null,
    ts text not null,
    thread_ts text,
    user_id text not null,
    ephemeral_to text,
    deleted integer not null default 0,
    body text not null,
    primary key (channel, ts)
  ) strict, without rowid;
  create index messages_by_thread
    on messages (channel, thread_ts, ts, deleted, ephemeral_to, user_id);
  create table versions (
    id integer primary key,
    channel text not null,
    ts text not null,
    at_ms integer not null,
    kind text not null,
    body text not null
  ) strict;
  create index versions_by_message on versions (channel, ts, id);
  create table deliveries (
    key text primary key,
    app_id text not null,
    body text not null,
    attempt integer not null,
    first_at_ms integer not null
  ) strict;
  create table streams (
    channel text not null,
    ts text not null,
    state text not null,
    body text not null,
    primary key (channel, ts)
  ) strict, without rowid;
  create index streams_by_state on streams (state);
  create table agent_threads (
    bot_id text not null,
    channel text not null,
    thread_ts text not null,
    body text not null,
    primary key (bot_id, channel, thread_ts)
  ) strict, without rowid;
  create table files (
    id text primary key,
    ticket text not null unique,
    expires_at_ms integer not null,
    body text not null,
    bytes blob
  ) strict;
  create table response_urls (
    id text primary key,
    body text not null,
    uses integer not null,
    expires_at_ms integer not null
  ) strict;
`

/** Opens the data file (`:memory:` for none), creating its folder, and the schema in an empty one. */
export function openDatabase(file: string): SqlDatabase {
  if (file !== ':memory:') mkdirSync(dirname(file), {recursive: true})
  const database = new Database(file)
  const version = Number(database.pragma('user_version', {simple: true}))
  if (version !== 0 && version !== schemaVersion) {
    database.close()
    throw new Error(
      `${file} holds schema ${version}, this local Slack reads ${schemaVersion}. Delete the file to start afresh.`,
    )
  }
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  if (version === 0) {
    database.exec(`begin; ${schema} pragma user_version = ${schemaVersion}; commit;`)
  }
  return database
}

/** A value that is made once per data file and found again at every later start. */
export function keptFact(database: SqlDatabase, name: string, make: () => string): string {
  const found = database
    .prepare<[string], {value: string}>('select value from facts where name = ?')
    .get(name)
  if (found !== undefined) return found.value
  const value = make()
  database.prepare('insert into facts (name, value) values (?, ?)').run(name, value)
  return value
}
