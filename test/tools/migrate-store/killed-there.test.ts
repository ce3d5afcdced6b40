import {expect, test} from 'vitest'
import {standOf} from '../../support/moved-store.ts'
import {barePostgres} from '../../support/postgres.ts'
import {type Stall, startStallingProxy} from '../../support/stalling-proxy.ts'
import {filledStore, move, refusal} from './moving.ts'
import {type Left, expectLeft, killAt} from './kills.ts'

/** Killed at any instant: all or nothing, and a repeat finishes it. */
const THERE: [string, Stall, Left][] = [
  ['create table if not exists "moved"', 'before', 'none'],
  ["where state = 'coming'", 'after', 'none'],
  ['create table "links"', 'before', 'coming'],
  ['insert into "posts"', 'before', 'coming'],
  ['insert into "posts"', 'after', 'coming'],
  ['restart with', 'after', 'coming'],
  ['from "posts"  order', 'after', 'coming'],
  ['commit\0', 'before', 'marked'],
  ['commit\0', 'after', 'done'],
  ['analyze', 'before', 'done'],
]
test.each(THERE)('on the way to PostgreSQL, at %j, %s it: %s', async (words, stall, left) => {
  const [file, server] = [await filledStore(200), await barePostgres()]
  const {digest} = await standOf(file)
  const proxy = await startStallingProxy(server)
  const way = {from: file, to: proxy.url, direct: {from: file, to: server}}
  await killAt(way, proxy.stallAt(words, stall))
  await expectLeft(way, left, digest)
  const repeated = await move(file, proxy.url)
  expect(repeated).toMatchObject({code: 0, err: ''})
  expect(repeated.out.includes('already')).toBe(left === 'done')
  expect((await standOf(server)).digest).toBe(digest)
  expect(await refusal(file)).toContain('was moved to')
  expect(await refusal(server)).toBeUndefined()
})
