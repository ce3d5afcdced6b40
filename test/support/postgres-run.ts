import type {TestProject} from 'vitest/node'
import {SERVER, onServer, whyUnusable} from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What the names of all databases and roles of this run begin with. */
    postgresRun: string
  }
}

const HOUR_S = 3600

/** Before the tests that need PostgreSQL: what killed runs have left there goes. After them: what they have made. */
export default async function setup({provide}: TestProject): Promise<() => Promise<void>> {
  const why = await whyUnusable()
  if (why !== undefined) {
    throw new Error(`BOSUN_TEST_POSTGRES: ${new URL(SERVER).host} is of no use to tests: ${why}`)
  }
  const nowS = Math.floor(Date.now() / 1000)
  const run = `bosun_test_${nowS}_${process.pid}_`
  const isOver = (name: string): boolean => {
    const [, madeS = Infinity] = /^bosun_test_(\d{10})_/.exec(name) ?? []
    return Number(madeS) < nowS - HOUR_S
  }
  await drop(isOver)
  provide('postgresRun', run)
  return () => drop((name) => name.startsWith(run))
}

async function drop(isMeant: (name: string) => boolean): Promise<void> {
  const named = async (query: string): Promise<string[]> =>
    (await onServer(query)).map(({name}) => String(name)).filter(isMeant)
  for (const name of await named('select datname as name from pg_database')) {
    await onServer(`drop database if exists "${name}" with (force)`)
  }
  for (const name of await named('select rolname as name from pg_roles')) {
    await onServer(`drop role if exists "${name}"`)
  }
}
