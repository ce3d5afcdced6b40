import {existsSync, rmSync, statSync} from 'node:fs'
import type Database from 'better-sqlite3'
import {Kysely} from 'kysely'
import {createCondition} from '../database/condition.ts'
import {StoreError} from '../database/errors.ts'
import {MOVES} from '../database/moves.ts'
import type {Schema} from '../database/schema.ts'
import {unlessLocked} from '../database/waits.ts'
import {examine, explain, openFile} from '../sqlite/database-file.ts'
import {PatientSqliteDialect} from '../sqlite/dialect.ts'
import {openBotLock} from '../sqlite/one-bot/bot-lock.ts'
import {nameOf} from '../sqlite/one-bot/bot-mark.ts'
import {makeOwnFile} from '../sqlite/own-files.ts'
import {type Role, type Side, type Table, ofArgument} from './side.ts'

type BotLock = Awaited<ReturnType<typeof openBotLock>>

// What says how the tables are stands in each database for itself, and what Litestream notes in a file is about that file.
const NOT_MOVED = `name not like 'sqlite_%' and name not like 'kysely_migration%' and name <> 'schema_compat'
  and name not in ('bot_mark', '${MOVES}') and name not glob '_litestream_*'`

export function sqliteSide(given: string, role: Role): Side {
  const path = nameOf(given)
  let lock: BotLock | undefined
  let file: Database.Database | undefined
  let db: Kysely<Schema> | undefined
  let isMade = false

  const opened = (): Database.Database => {
    if (file === undefined) throw new Error('It is not open')
    return file
  }
  const attempt = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    try {
      return await act()
    } catch (error) {
      throw ofArgument(explain(path, error), role)
    }
  }
  const close = async (): Promise<void> => {
    await db?.destroy()
    db = undefined
  }
  const tables = (): Table[] =>
    opened()
      .prepare<[], string>(`select name from sqlite_schema where type = 'table' and ${NOT_MOVED}`)
      .pluck()
      .all()
      .map((name) => tableOf(opened(), name))

  return {
    name: path,
    attempt,
    fit: (text) => text,
    identity: async () => {
      const stats = statSync(path, {throwIfNoEntry: false})
      return stats === undefined ? path : `${stats.dev}:${stats.ino}`
    },
    keepBotsOut: async () => {
      if (role === 'FROM' && !existsSync(path)) {
        throw new StoreError('missing', `The database ${path} is not there.`)
      }
      lock = await attempt(() => openBotLock(given))
    },
    examine: () => attempt(async () => unlessLocked(() => examine(path, role === 'FROM'))),
    open: () =>
      attempt(async () => {
        isMade = makeOwnFile(path)
        const database = await unlessLocked(() => openFile(path))
        file = database
        const dialect = new PatientSqliteDialect({database, condition: createCondition()})
        db = new Kysely<Schema>({dialect})
        return db
      }),
    undo: () => {
      if (!isMade) return
      file?.close()
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, {force: true})
    },
    // Its transactions are the only ones that write.
    hold: async () => undefined,
    tables: async () => tables(),
    prepare: async () => undefined,
    empty: async (_db, all) => {
      for (const {name} of all) opened().exec(`delete from "${name}"`)
    },
    withoutTriggers: async (_db, _tables, act) => {
      const triggers = opened()
        .prepare<[], {name: string; sql: string}>(
          `select name, sql from sqlite_schema where type = 'trigger'`,
        )
        .all()
      for (const {name} of triggers) opened().exec(`drop trigger "${name}"`)
      await act()
      for (const {sql} of triggers) opened().exec(sql)
    },
    insert: async (_db, {name, columns}, rows) => {
      const names = [...columns.keys()]
      const insert = opened().prepare(
        `insert into "${name}" (${names.map(quoted).join()}) values (${names.map(() => '?').join()})`,
      )
      for (const row of rows) insert.run(names.map((column) => row[column]))
    },
    counters: async () => {
      const isThere = opened()
        .prepare(`select 1 from sqlite_schema where name = 'sqlite_sequence'`)
        .get()
      if (isThere === undefined) return new Map()
      const rows = opened()
        .prepare<[], [string, number]>('select name, seq from sqlite_sequence')
        .raw()
        .all()
      return new Map(rows)
    },
    setCounter: async (_db, table, last) => {
      opened().prepare('delete from sqlite_sequence where name = ?').run(table)
      opened().prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, last)
    },
    settle: async () => lock?.remember(),
    [Symbol.asyncDispose]: async () => {
      await close()
      lock?.[Symbol.dispose]()
    },
  }
}

function tableOf(file: Database.Database, name: string): Table {
  const info = file
    .prepare<[string], {name: string; type: string; pk: number}>(
      'select name, type, pk from pragma_table_info(?)',
    )
    .all(name)
  const refersTo = file
    .prepare<[string], string>('select distinct "table" from pragma_foreign_key_list(?)')
    .pluck()
    .all(name)
  const key = info.filter(({pk}) => pk > 0).toSorted((one, other) => one.pk - other.pk)
  return {
    name,
    columns: new Map(info.map((column) => [column.name, column.type])),
    key: key.map((column) => column.name),
    refersTo,
  }
}

function quoted(name: string): string {
  return `"${name}"`
}
