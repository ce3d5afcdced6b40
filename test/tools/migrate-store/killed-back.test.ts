import {expect, test} from 'vitest'
import {temporaryPath} from '../../store/temporary-store.ts'
import {standOf} from '../../support/moved-store.ts'
import {barePostgres} from '../../support/postgres.ts'
import {type Stall, startStallingProxy} from '../../support/stalling-proxy.ts'
import {filledStore, move, refusal} from './moving.ts'
import {type Left, expectLeft, killAt} from './kills.ts'

/** Killed at any instant: all or nothing, and a repeat finishes it. */
const BACK: [string, Stall, Left][] = [
  ['lock table', 'after', 'coming'],
  ['from "posts"  order', 'before', 'coming'],
  ['insert into "moved"', 'after', 'coming'],
  ['commit\0', 'before', 'coming'],
  ['commit\0', 'after', 'marked'],
]
test.each(
  BACK.flatMap(([words, stall, left]) => [
    ['a new file', words, stall, left] as const,
    ['the old file', words, stall, left] as const,
  ]),
)('on the way to %s, at %j, %s it: %s', async (to, words, stall, left) => {
  const [old, server] = [await filledStore(200), await barePostgres()]
  expect(await move(old, server)).toMatchObject({code: 0})
  const {digest} = await standOf(server)
  const file = to === 'the old file' ? old : temporaryPath()
  const proxy = await startStallingProxy(server)
  const way = {from: proxy.url, to: file, direct: {from: server, to: file}}
  await killAt(way, proxy.stallAt(words, stall))
  await expectLeft(way, left, digest)
  expect(await move(proxy.url, file)).toMatchObject({code: 0, err: ''})
  expect((await standOf(file)).digest).toBe(digest)
  expect(await refusal(server)).toContain('was moved to')
  expect(await refusal(file)).toBeUndefined()
})
