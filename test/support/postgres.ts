import {randomBytes} from 'node:crypto'
import pg from 'pg'
import {inject, onTestFinished} from 'vitest'
import {openStore} from '../../src/store/store.ts'
import {SERVER, onServer, urlOf} from './postgres-server.ts'

/** Whether this run is about PostgreSQL: the same tests, on the other database. */
export const IS_POSTGRES = process.env['BOSUN_TEST_STORE'] === 'postgres'

type OnEnd = (end: () => Promise<void>) => void

/** A name for a database or a role that goes with the run, if not before. */
export function temporaryName(): string {
  return `${inject('postgresRun')}${randomBytes(5).toString('hex')}`
}

/** The address of a database in which nothing stands, which goes with whoever is told of its end. */
export async function barePostgres(onEnd: OnEnd = onTestFinished): Promise<string> {
  const name = temporaryName()
  await onServer(`create database ${name}`)
  onEnd(async () => {
    await onServer(`drop database if exists ${name} with (force)`)
  })
  return urlOf(name)
}

/** "many": of one server, whoever tests there. */
const MANY = 0x6d616e79

/** A server as it is installed has so many connections. */
const USUAL_CONNECTIONS = 100

/** For several bots at once, which hold a dozen connections each: a server as it is installed has room for one such test. */
export async function takeTurn(onEnd: OnEnd): Promise<void> {
  const client = new pg.Client({connectionString: SERVER})
  await client.connect()
  onEnd(() => client.end())
  await client.query(
    `select pg_advisory_lock($1 + $2 % greatest(1, current_setting('max_connections')::int / $3))`,
    [MANY, process.pid, USUAL_CONNECTIONS],
  )
}

/** How many databases tests of one process may use at once: the pools of all processes share the server's connections. */
const AT_ONCE = 6
const used = new Set<string>()

/** Those that no test of this process uses now, with tables of this version in which nothing stands. */
const free: string[] = []

/**
 * The address of a database as a bot finds it at its second start: what tests leave in the tables is deleted, which takes a
 * tenth of the time of making one. A test that changes the tables themselves takes a {@link barePostgres}.
 */
export async function temporaryPostgres(onEnd: OnEnd = onTestFinished): Promise<string> {
  if (used.size >= AT_ONCE) {
    throw new Error(`A test uses ${AT_ONCE} databases: each run of a property closes its own`)
  }
  const url = free.pop() ?? (await make())
  used.add(url)
  onEnd(async () => {
    await empty(url)
    used.delete(url)
    free.push(url)
  })
  return url
}

async function make(): Promise<string> {
  const name = temporaryName()
  await onServer(`create database ${name}`)
  // It need not outlive the machine.
  await onServer(`alter database ${name} set synchronous_commit = off`)
  const store = await openStore({path: urlOf(name), sealingKeys: []})
  await store[Symbol.asyncDispose]()
  return urlOf(name)
}

/** Ids are counted from 1 again, too. Whoever still works with it is cut off. */
async function empty(url: string): Promise<void> {
  await onServer(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid();
    do $$
    declare one regclass; counter regclass;
    begin
      for one in
        select oid from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like 'kysely%' and relname <> 'schema_compat'
        -- What others refer to comes last.
        order by exists (select from pg_constraint where confrelid = pg_class.oid)
      loop
        -- What is deleted stands in the way until the server cleans up; to cut off takes longer where there is little.
        execute case when pg_relation_size(one) > 1000000
          then 'truncate ' || one || ' cascade' else 'delete from ' || one end;
      end loop;
      -- Who works for what, in a schema of the engine's own.
      if to_regclass('bosun_jobs.job') is not null then
        delete from bosun_jobs.job; delete from bosun_jobs.instance;
      end if;
      for counter in select oid from pg_class
        where relnamespace = current_schema()::regnamespace and relkind = 'S'
      loop perform setval(counter, 1, false); end loop;
    end $$`,
    url,
  )
}
