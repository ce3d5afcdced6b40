import {type ChildProcess, execFile, spawn} from 'node:child_process'
import {once} from 'node:events'
import {chownSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {promisify} from 'node:util'
import pg from 'pg'
import {freePort, unprivileged} from '../../test/support/servers.ts'

type Rows = Record<string, unknown>[]

/** A PostgreSQL server that nobody else uses, so that it may be restarted and cut off at will. */
export interface Cluster extends AsyncDisposable {
  url: string
  /** Rejects while the server is away. */
  query(statement: string, values?: unknown[]): Promise<Rows>
  /** As after a crash: connections break, nothing is finished. Resolves when it answers again. */
  restart(): Promise<void>
  /** Ends so many connections of others, at random; answers how many it were. */
  cutConnections(most: number): Promise<number>
}

const run = promisify(execFile)
const UP_WITHIN_MS = 60_000

/** The server refuses to run as root, so then it runs as the user `postgres`. */
export async function startCluster(): Promise<Cluster> {
  const {stdout} = await run('pg_config', ['--bindir']).catch((cause: unknown): never => {
    throw new Error('PostgreSQL is missing: install its server and pg_config.', {cause})
  })
  const program = (name: string): string => join(stdout.trim(), name)
  const user = unprivileged()
  const folder = mkdtempSync(join(tmpdir(), 'bosun-cluster-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  await run(program('initdb'), ['-D', data, '-A', 'trust', '-U', 'bosun', '-E', 'UTF8'], {...user})
  const port = await freePort()
  const url = `postgres://bosun@127.0.0.1:${port}/postgres`
  const flags = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1']
  const launch = (): ChildProcess =>
    spawn(program('postgres'), [...flags, '-c', 'max_connections=300'], {...user, stdio: 'ignore'})
  let server = launch()
  const kill = (): void => void server.kill('SIGQUIT')
  process.once('exit', kill)
  const pool = new pg.Pool({connectionString: url, max: 3, application_name: 'bench'})
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const query = async (statement: string, values: unknown[] = []): Promise<Rows> =>
    (await pool.query<Record<string, unknown>>(statement, values)).rows
  const untilUp = async (): Promise<void> => {
    const endMs = Date.now() + UP_WITHIN_MS
    for (;;) {
      const isUp = await query('select 1').then(
        () => true,
        () => false,
      )
      if (isUp) return
      if (Date.now() > endMs) throw new Error(`PostgreSQL is not up within ${UP_WITHIN_MS} ms.`)
      await delay(50)
    }
  }
  const stop = async (): Promise<void> => {
    const ended = once(server, 'exit')
    server.kill('SIGQUIT')
    await ended
  }
  await untilUp()
  return {
    url,
    query,
    restart: async () => {
      await stop()
      server = launch()
      await untilUp()
    },
    cutConnections: async (most) => {
      const cut = await query(
        `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
          where backend_type = 'client backend' and application_name <> 'bench'
          order by random() limit $1) as chosen`,
        [most],
      )
      return cut.length
    },
    [Symbol.asyncDispose]: async () => {
      process.off('exit', kill)
      await pool.end()
      await stop()
      rmSync(folder, {recursive: true, force: true})
    },
  }
}
