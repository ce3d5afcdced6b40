import {SqliteAdapter, SqliteDialect} from 'kysely'

/**
 * SQLite runs schema changes inside transactions like any other statement; Kysely's adapter says it
 * does not, and then refuses to migrate in one transaction.
 */
export class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
