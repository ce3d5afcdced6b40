import {randomBytes} from 'node:crypto'
import {onTestFinished} from 'vitest'
import pg from 'pg'

/** The server that tests make databases of their own in. */
const SERVER = process.env['BOSUN_TEST_POSTGRES'] ?? 'postgres://root@127.0.0.1:5432/postgres'

/** Whether this run is about PostgreSQL: the same tests, on the other database. */
export const IS_POSTGRES = process.env['BOSUN_TEST_STORE'] === 'postgres'

/** The address of an empty database, which goes with whoever is told of its end. */
export async function temporaryPostgres(
  onEnd: (end: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const name = `bosun_test_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name}`)
  onEnd(() => onServer(`drop database ${name} with (force)`))
  const url = new URL(SERVER)
  url.pathname = `/${name}`
  return url.href
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({connectionString: SERVER})
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
