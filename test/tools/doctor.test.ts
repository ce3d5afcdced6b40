import Database from 'better-sqlite3'
import {expect, test} from 'vitest'
import {isPostgres} from '../../src/store/is-postgres.ts'
import {tool} from '../support/tool.ts'
import {keyNamed, sealedDatabase, settingsOf} from './sealed-database.ts'

/** Nobody answers there. */
const AWAY = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  SLACK_API_URL: 'http://127.0.0.1:1/api/',
  PLATFORM_BASE_URL: 'http://127.0.0.1:1/api/v1',
  PORT: '0',
}

test('a value that does not open is found, with what to do, and all else is looked at', async () => {
  const key = keyNamed('a')
  const {path, ids} = await sealedDatabase([key], 2)
  const [first = '', second = ''] = ids
  // As whoever mends rows by hand may leave them.
  const db = new Database(path)
  db.prepare(
    'update connections set key = (select key from connections where id = ?) where id = ?',
  ).run(second, first)
  db.close()
  const {code, out, err} = await tool('doctor', [], {...AWAY, ...settingsOf(path, key)})
  expect([code, err]).toEqual([1, ''])
  expect(out).toContain(`npm run keys -- drop ${first}`)
  expect(out).toContain('bot')
})

test('a server that is away is found, and all else is looked at', async () => {
  const url = 'postgres://bosun@127.0.0.1:1/bosun'
  expect(isPostgres(url)).toBe(true)
  const {code, out, err} = await tool('doctor', [], {...AWAY, DATABASE_URL: url})
  expect([code, err]).toEqual([1, ''])
  expect(out).toContain('may run: the database that says so cannot be asked')
  expect(out).toMatch(/✗ database/)
})
