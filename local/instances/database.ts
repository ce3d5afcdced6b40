import pg from 'pg'

/** Which process works for a workspace, or did last. */
interface ClaimedWorkspace {
  id: string
  pid: number
  sinceMs: number
}

export interface DemoDatabase extends AsyncDisposable {
  /** Names what belongs to this database beside it; the same at every start. */
  world: string
  /** Before anything stands in it. */
  isNew: boolean
  claims(): Promise<ClaimedWorkspace[]>
}

/** Takes an empty database for the demo, or one that it took before; nothing else is touched. */
export async function openDemoDatabase(url: string): Promise<DemoDatabase> {
  const pool = new pg.Pool({connectionString: url, max: 2, connectionTimeoutMillis: 5000})
  pool.on('error', () => undefined)
  try {
    const {rows: found} = await pool.query<{known: boolean; filled: boolean}>(
      `select to_regclass('bosun_demo.world') is not null as known,
        exists (select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
          where nspname !~ '^pg_' and nspname <> 'information_schema') as filled`,
    )
    const isNew = found[0]?.known !== true
    if (isNew && found[0]?.filled === true) {
      throw new Error(
        'The database is not empty, and not the demo’s own: nothing was changed in it. Make one for the demo (createdb bosun_demo) and give its address.',
      )
    }
    if (isNew) {
      await pool.query(
        `create schema bosun_demo;
        create table bosun_demo.world as select gen_random_uuid()::text as id`,
      )
    }
    const {rows} = await pool.query<{id: string}>('select id from bosun_demo.world')
    return {
      world: rows[0]?.id ?? '',
      isNew,
      claims: async () => {
        const read = await pool.query<ClaimedWorkspace>(
          `select claims.name as id, instance.pid, claims.claimed_at_ms::float8 as "sinceMs"
          from claims join bosun_jobs.instance on instance.name = claims.owner
          where claims.name like 'T%' order by claims.name collate "C"`,
        )
        return read.rows
      },
      [Symbol.asyncDispose]: () => pool.end(),
    }
  } catch (error) {
    await pool.end()
    if (!(error instanceof Error) || !('code' in error)) throw error
    const why = error.message === '' ? String(error.code) : error.message
    throw new Error(`The database cannot be used (${why}). ${adviceFor(String(error.code))}`, {
      cause: error,
    })
  }
}

function adviceFor(code: string): string {
  switch (code) {
    case '3D000':
      return 'Make it (createdb), or see its name in --database.'
    case '28000':
    case '28P01':
      return 'See the role and the password in --database: postgres://role:password@host/database'
    default:
      return 'Give a PostgreSQL that runs: --database postgres://role@127.0.0.1/bosun_demo'
  }
}
