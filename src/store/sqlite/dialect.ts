import {setImmediate as nextTurn} from 'node:timers/promises'
import type Database from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
} from 'kysely'
import type {Condition} from '../database/condition.ts'
import {createStillThere} from './database-file.ts'
import {isBusy} from '../database/errors.ts'
import {waitForTurn} from '../database/waits.ts'
import {keepStatements} from './statements.ts'

interface Options {
  database: Database.Database
  condition: Condition
  /** Changes every text that is bound. */
  omit?: (text: string) => string
  /** Asked at the beginning of each transaction; what it throws ends that one. */
  guard?: () => void
}

/** After this long the database lets others have a turn of the event loop. */
const TURN_MS = 5
const MAX_WAIT_MS = 200

/** SQLite as one process needs it that must neither block its event loop nor believe a broken transaction. */
export class PatientSqliteDialect extends SqliteDialect {
  readonly #options: Options

  constructor(options: Options) {
    super(options)
    this.#options = options
  }

  override createDriver(): Driver {
    return new PatientDriver(this.#options)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }

  override createQueryCompiler(): QueryCompiler {
    const {omit} = this.#options
    return omit === undefined ? super.createQueryCompiler() : new DiscreetCompiler(omit)
  }
}

class DiscreetCompiler extends SqliteQueryCompiler {
  readonly #omit: (text: string) => string

  constructor(omit: (text: string) => string) {
    super()
    this.#omit = omit
  }

  protected override appendValue(parameter: unknown): void {
    super.appendValue(typeof parameter === 'string' ? this.#omit(parameter) : parameter)
  }
}

/**
 * SQLite runs schema changes inside transactions like any other statement; Kysely's adapter says it
 * does not, and then refuses to migrate in one transaction.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class PatientDriver extends SqliteDriver {
  readonly #database: Database.Database
  readonly #condition: Condition
  readonly #turn = createTurn()
  readonly #stillThere: () => void
  readonly #guard: () => void

  constructor({database, condition, guard = () => undefined}: Options) {
    super({database: keepStatements(database)})
    this.#database = database
    this.#condition = condition
    this.#stillThere = createStillThere(database.name)
    this.#guard = guard
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turn()
    return createConnection(await super.acquireConnection(), this.#database, this.#condition)
  }

  /** All transactions write: asking for the lock at once spares those that would fail in the middle. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      this.#stillThere()
    } catch (error) {
      this.#condition.failed(error)
      throw error
    }
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    try {
      this.#guard()
    } catch (error) {
      // Kysely rolls back only what has begun.
      await this.rollbackTransaction(connection)
      throw error
    }
  }

  /**
   * A full or failing disk makes SQLite roll back by itself; a second rollback then fails, and its
   * error would hide the first one.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection)
  }
}

/** What is read outside of transactions waits for a lock; a transaction fails, and its writer runs it again. */
function createConnection(
  inner: DatabaseConnection,
  database: Database.Database,
  condition: Condition,
): DatabaseConnection {
  const executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await inner.executeQuery<Row>(query)
      } catch (error) {
        condition.failed(error)
        const isPatient = !database.inTransaction && query.sql !== 'begin immediate'
        if (!isBusy(error) || !isPatient) throw error
      }
      await waitForTurn(attempt, MAX_WAIT_MS)
    }
  }
  return {executeQuery, streamQuery: (query, chunkSize) => inner.streamQuery(query, chunkSize)}
}

/**
 * Answers to queries of SQLite come at once, and a thousand that are asked in a row would hold the
 * event loop until the last. Resolves at once, or in the next turn when this one lasts too long.
 */
function createTurn(): () => Promise<void> {
  let startedMs: number | undefined
  return async () => {
    if (startedMs === undefined) {
      startedMs = performance.now()
      setImmediate(() => (startedMs = undefined))
    } else if (performance.now() - startedMs > TURN_MS) {
      await nextTurn()
    }
  }
}
