import {CompiledQuery, type DatabaseConnection, PostgresDriver} from 'kysely'
import type pg from 'pg'
import {codeOf, troubleOf} from '../database/errors.ts'
import {waitForTurn} from '../database/waits.ts'

const MAX_WAIT_MS = 1000

/**
 * A commit of which the answer is lost has happened or has not: then the server is asked what became of it, so that
 * nobody who writes it again writes it twice.
 */
export class CertainDriver extends PostgresDriver {
  readonly #pool: pg.Pool
  #isOver = false

  constructor(pool: pg.Pool) {
    super({pool})
    this.#pool = pool
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const noted = CompiledQuery.raw('select pg_current_xact_id_if_assigned()::text as id')
    const {rows} = await connection.executeQuery<{id: string | null}>(noted)
    const id = rows[0]?.id ?? null
    try {
      await super.commitTransaction(connection)
    } catch (error) {
      // What has changed nothing may be done again.
      if (id === null || troubleOf(error) !== 'away') throw error
      if (!(await this.#isCommitted(id))) throw error
    }
  }

  override async destroy(): Promise<void> {
    this.#isOver = true
    await super.destroy()
  }

  async #isCommitted(id: string): Promise<boolean> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const {rows} = await this.#pool.query<{status: string | null}>(
          'select pg_xact_status($1::xid8) as status',
          [id],
        )
        const status = rows[0]?.status
        if (status !== 'in progress') return status === 'committed'
      } catch (error) {
        // Another server, which never heard of it, has taken its place.
        if (codeOf(error) === '22023') return false
        if (this.#isOver) throw error
      }
      await waitForTurn(attempt, MAX_WAIT_MS)
    }
  }
}
