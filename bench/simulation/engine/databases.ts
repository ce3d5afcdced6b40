import Database from 'better-sqlite3'
import {Killed, currentProgram} from './program.ts'

/** What happens around the statements of programs. */
export interface StatementWatch {
  /** Called around each: the program may die of it, or the statement be refused. */
  around: (moment: 'before' | 'after', sql: string) => void
}

/** What Kysely writes is prepared anew each time, which takes longer than to run it: here once for each database. */
const QUERY = /^(?:select|insert|update|delete)[^]*"/

type Act = (this: object, ...given: unknown[]) => unknown

/**
 * The databases of a program close when it dies, wherever it was: what was committed stands, and what was not never was. What
 * their SQL takes for the time is `nowMs`, since 1970. Once for a process.
 */
export function installDatabases(watch: () => StatementWatch, nowMs: () => number): void {
  const known = new WeakSet<object>()
  const sqlOf = new WeakMap<object, string>()
  const databaseOf = new WeakMap<object, Database.Database>()

  const enter = (database: Database.Database, sql: string): void => {
    const program = currentProgram()
    if (program === undefined) return
    if (program.isDead) throw new Killed()
    if (!known.has(database)) {
      known.add(database)
      database.function('unixepoch', (_modifier: unknown) => nowMs() / 1000)
      program.onDeath(() => database.close())
    }
    watch().around('before', sql)
    throwIfKilled()
  }
  const leave = (sql: string): void => {
    if (currentProgram() === undefined) return
    watch().around('after', sql)
    throwIfKilled()
  }

  const prototype = Database.prototype as unknown as Record<string, Act>
  const wrap = (names: readonly string[], of: Record<string, Act>, sqlFrom: Around): void => {
    for (const name of names) {
      const inner = of[name]
      if (inner === undefined) continue
      of[name] = function (...given) {
        const {database, sql} = sqlFrom(this, given)
        if (database !== undefined) enter(database, sql)
        const result = inner.apply(this, given)
        if (database !== undefined) leave(sql)
        return result
      }
    }
  }
  wrap(['exec', 'pragma'], prototype, (self, [sql]) => ({
    database: self as Database.Database,
    sql: String(sql),
  }))

  const prepare = prototype['prepare']
  if (prepare === undefined) throw new Error('better-sqlite3 has changed.')
  let isWrapped = false
  const prepared = new WeakMap<object, Map<string, object>>()
  const preparedFor = (database: object): Map<string, object> => {
    const mine = prepared.get(database) ?? new Map<string, object>()
    prepared.set(database, mine)
    return mine
  }
  prototype['prepare'] = function (...given) {
    const program = currentProgram()
    if (program?.isDead === true) throw new Killed()
    const sql = String(given[0])
    const mine = program !== undefined && QUERY.test(sql) ? preparedFor(this) : undefined
    const statement = mine?.get(sql) ?? (prepare.apply(this, given) as object)
    mine?.set(sql, statement)
    sqlOf.set(statement, sql)
    databaseOf.set(statement, this as Database.Database)
    if (!isWrapped) {
      isWrapped = true
      const statements = Object.getPrototypeOf(statement) as Record<string, Act>
      wrap(['run', 'get', 'all'], statements, (self) => ({
        database: databaseOf.get(self),
        sql: sqlOf.get(self) ?? '',
      }))
    }
    return statement
  }
}

type Around = (
  self: object,
  given: readonly unknown[],
) => {database: Database.Database | undefined; sql: string}

function throwIfKilled(): void {
  if (currentProgram()?.isDead === true) throw new Killed()
}
