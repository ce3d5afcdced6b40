import {once} from 'node:events'
import {type IncomingMessage, request} from 'node:http'
import {expect, test} from 'vitest'
import {openPages} from '../support/install-pages.ts'

test('while the database does not say whether it was used, nobody gets in', async () => {
  const away = {use: () => Promise.reject(new Error('Not written in time'))}
  const {begin, kept} = await openPages([away])
  const comeBack = await begin()
  expect([await comeBack(), kept]).toEqual([[500], []])
})

test('who comes from nowhere leaves no line in the log, whatever they bring', async () => {
  const lines: unknown[] = []
  const write = (...line: unknown[]): void => void lines.push(line)
  const {origins, kept} = await openPages([{use: async () => true}], {write})
  const comeWith = async (query: string, headers: Record<string, string> = {}) => {
    const sent = request(`${origins[0]}/slack/oauth_redirect${query}`, {headers}).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return answer.resume().statusCode
  }
  const cookie = 'slack-app-oauth-state=s'
  expect([
    await comeWith(''),
    await comeWith('?error=access_denied'),
    await comeWith('?code=c'),
    await comeWith('?code=c&state=s'),
    await comeWith('?code=c&state=s', {cookie}),
    await comeWith('?code=c&state=s', {cookie, host: '['}),
  ]).toEqual([400, 200, 400, 400, 400, 400])
  expect([lines, kept]).toEqual([[], []])
})

test('no cache keeps what is one browser’s', async () => {
  const {origins} = await openPages([{use: async () => true}])
  for (const path of ['/slack/install', '/slack/oauth_redirect?code=c&state=s']) {
    const {headers} = await fetch(`${origins[0]}${path}`, {redirect: 'manual'})
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
  }
})

test('of all who come back at once a few are asked about at Slack, and the others may come again', async () => {
  const given = Promise.withResolvers<undefined>()
  let asked = 0
  const inTime = (): Promise<unknown> => {
    asked += 1
    return given.promise
  }
  const {begin, kept} = await openPages([{use: async () => true}], {inTime})
  const all = await Promise.all(Array.from({length: 40}, begin))
  const refused: typeof all = []
  const come = async (comeBack: (typeof all)[number]) => {
    const [status] = await comeBack()
    if (status === 503) refused.push(comeBack)
    return status
  }
  const came = all.map(come)
  await expect.poll(() => asked + refused.length).toBe(all.length)
  expect(asked).toBe(16)
  given.resolve(undefined)
  await Promise.all(came)
  const [again] = refused
  expect([await again?.(), kept.length]).toEqual([[200], 17])
})
