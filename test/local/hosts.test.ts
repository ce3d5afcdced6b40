import {once} from 'node:events'
import {type IncomingMessage, request} from 'node:http'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {WebSocket} from 'ws'
import {type Platform, startPlatform} from '../../local/platform/server.ts'
import {type LocalSlack, startLocalSlack} from '../../local/slack/server.ts'

let slack: LocalSlack
let platform: Platform

beforeAll(async () => {
  const page = {
    handle: (_: IncomingMessage, response: {end: (text: string) => void}) => response.end('page'),
  }
  slack = await startLocalSlack({page, rateScale: Infinity})
  platform = await startPlatform()
})
afterAll(async () => {
  await slack.close()
  await platform.close()
})

const OWN = ['127.0.0.1', 'localhost', 'LOCALHOST', '127.8.9.10', '[::1]']
const FOREIGN = [
  ...['rebound.example.com', '127.0.0.1.example.com', 'localhost.example.com', '0.0.0.0'],
  ...[
    '10.0.0.1',
    '[::]',
    '[::1].example.com',
    'example.com@127.0.0.1',
    '127.0.0.1,example.com',
    '2130706433',
  ],
]

/** As a browser asks under a name that leads here. */
async function ask(origin: string, path: string, host: string, more = {}): Promise<number> {
  const {port} = new URL(origin)
  const call = request({host: '127.0.0.1', port, path, headers: {host, ...more}})
  const [answer] = (await once(call.end(), 'response')) as [IncomingMessage]
  answer.destroy()
  return answer.statusCode ?? 0
}

/** What opening a socket is answered with. */
async function connect(host: string, origin?: string): Promise<number> {
  const opened = await fetch(`${slack.apiUrl}apps.connections.open`, {
    method: 'POST',
    headers: {authorization: `Bearer ${slack.appToken}`},
  })
  const {url} = (await opened.json()) as {url: string}
  const socket = new WebSocket(url, {headers: {host}, ...(origin !== undefined && {origin})})
  socket.on('error', () => undefined)
  const refused = once(socket, 'unexpected-response').then(
    ([, answer]) => (answer as IncomingMessage).statusCode ?? 0,
  )
  const status = await Promise.race([refused, once(socket, 'open').then(() => 101)])
  socket.terminate()
  return status
}

describe('the local Slack', () => {
  const paths = ['/', '/assets/x.js', '/api/auth.test', '/control/lints', '/local/workspace']
  test.for(FOREIGN)('refuses whoever calls it %s', async (name) => {
    const {port} = new URL(slack.origin)
    for (const host of [name, `${name}:${port}`]) {
      const own = {origin: `http://${host}`}
      for (const path of paths) {
        expect([path, await ask(slack.origin, path, host)]).toEqual([path, 403])
        expect([path, await ask(slack.origin, path, host, own)]).toEqual([path, 403])
      }
      expect(await connect(host)).toBe(403)
    }
  })

  test.for(OWN)('answers whoever calls it %s', async (name) => {
    const host = `${name}:${new URL(slack.origin).port}`
    for (const path of paths) {
      expect([path, await ask(slack.origin, path, host)]).toEqual([path, 200])
    }
    expect(await connect(host)).toBe(101)
    expect(await connect(host, `http://${host}`)).toBe(101)
  })

  test('opens no socket for a page of elsewhere', async () => {
    const {host} = new URL(slack.origin)
    expect(await connect(host, 'https://example.com')).toBe(403)
    expect(await connect(host, 'http://127.0.0.1:9')).toBe(403)
  })
})

describe('the local platform', () => {
  const paths = ['/api/v1/users', '/control/ledger', '/']
  test.for(FOREIGN)('refuses whoever calls it %s', async (name) => {
    const {port} = new URL(platform.originUrl)
    for (const host of [name, `${name}:${port}`]) {
      for (const path of paths) {
        const status = await ask(platform.originUrl, path, host)
        // What is no host at all is no request.
        expect([path, [400, 403].includes(status) ? 'refused' : status]).toEqual([path, 'refused'])
      }
    }
  })

  test.for(OWN)('answers whoever calls it %s', async (name) => {
    const host = `${name}:${new URL(platform.originUrl).port}`
    expect(await ask(platform.originUrl, '/api/v1/users', host)).toBe(401)
    expect(await ask(platform.originUrl, '/control/ledger', host)).toBe(200)
  })
})
