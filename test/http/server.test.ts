import {once} from 'node:events'
import {type IncomingMessage, request} from 'node:http'
import {type AddressInfo, connect, createServer} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {expect, onTestFinished, test, vi} from 'vitest'
import {ListenError, createRoutes, listen, lookedAtApart} from '../../src/http/server.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

async function start(
  health: Parameters<typeof createRoutes>[0],
  slack?: Parameters<typeof listen>[0]['slack'],
  routes = createRoutes(health, SILENT_LOG),
) {
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    slack,
    routes: (request) => routes.fetch(request),
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return `http://127.0.0.1:${server.port}`
}
const well = {name: 'database', check: async () => undefined}

test('healthz says that all is well', async () => {
  const origin = await start([well])
  const response = await fetch(`${origin}/healthz`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({status: 'ok', database: 'ok'})
})

test('healthz says what is not', async () => {
  const origin = await start([well, {name: 'slack', check: async () => 'not connected'}])
  const response = await fetch(`${origin}/healthz`)
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({status: 'unwell', database: 'ok', slack: 'not connected'})
})

test('what one part cannot look at keeps no other one from saying why', async () => {
  const check = () => Promise.reject(new Error('The database is away'))
  const away = {...well, check: async () => 'does not answer'}
  const origin = await start(lookedAtApart([away, {name: 'clock', check}], SILENT_LOG))
  const response = await fetch(`${origin}/healthz`)
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({
    ...{status: 'unwell', database: 'does not answer', clock: 'could not be looked at'},
  })
})

test('livez says that it lives, whatever is unwell', async () => {
  const origin = await start([{...well, check: async () => 'away', isForAll: true}])
  expect((await fetch(`${origin}/readyz`)).status).toBe(503)
  const alive = await fetch(`${origin}/livez`)
  expect([alive.status, await alive.json()]).toEqual([200, {status: 'ok'}])
})

test('readyz leaves out what deliveries do not need', async () => {
  const database = {...well, isForAll: true as const}
  const slack = {name: 'slack', check: async () => 'one workspace refuses its token'}
  const origin = await start([database, slack])
  const response = await fetch(`${origin}/readyz`)
  expect([response.status, await response.json()]).toEqual([200, {status: 'ok', database: 'ok'}])
  const away = await start([{...database, check: async () => 'does not answer'}, slack])
  expect((await fetch(`${away}/readyz`)).status).toBe(503)
})

test('no cache keeps how it was', async () => {
  const origin = await start([well])
  for (const path of ['/healthz', '/readyz', '/livez']) {
    const {headers} = await fetch(origin + path)
    expect([path, headers.get('cache-control')]).toEqual([path, 'no-store'])
  }
})

test('those who ask at once share one look, and who asks then has their own', async () => {
  const looks: PromiseWithResolvers<string | undefined>[] = []
  const check = (): Promise<string | undefined> => {
    const look = Promise.withResolvers<string | undefined>()
    looks.push(look)
    return look.promise
  }
  const routes = createRoutes([{name: 'database', check}], SILENT_LOG)
  const ask = async () => (await routes.request('/healthz')).status
  const asked = Array.from({length: 20}, ask)
  looks[0]?.resolve('away')
  expect(new Set(await Promise.all(asked))).toEqual(new Set([503]))
  const then = ask()
  looks[1]?.resolve(undefined)
  expect([await then, looks.length]).toEqual([200, 2])
})

test('what is below /slack/ goes to Slack’s receiver, and nothing else does', async () => {
  const origin = await start([well], (request, response) =>
    response.end(`slack ${request.url ?? ''}`),
  )
  expect(await (await fetch(`${origin}/slack/events`)).text()).toBe('slack /slack/events')
  for (const path of ['/slack', '/slackers/x', '/', '/healthz/x']) {
    const response = await fetch(origin + path)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({error: 'not_found'})
  }
})

test('a request that names its whole address, as proxies may, goes where its path leads', async () => {
  const origin = await start([well], (request, response) =>
    response.end(`slack ${request.url ?? ''}`),
  )
  const ask = async (path: string) => {
    const sent = request(origin, {path}).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return String(await answer.setEncoding('utf8').toArray())
  }
  const whole = 'https://bosun.example.com:443'
  expect(await ask(`${whole}/slack/events?of=1`)).toBe('slack /slack/events?of=1')
  expect(await ask(`${whole.toUpperCase()}/livez`)).toBe('{"status":"ok"}')
  expect(await ask(whole)).toBe('{"error":"not_found"}')
})

test('in Socket Mode there is no receiver', async () => {
  const origin = await start([well])
  expect((await fetch(`${origin}/slack/events`, {method: 'POST'})).status).toBe(404)
})

test('what fails is one line of the log, and whoever breaks off leaves none', async () => {
  const printed = vi.spyOn(console, 'error')
  onTestFinished(() => printed.mockRestore())
  const lines: object[] = []
  const routes = createRoutes([well], {error: (details) => void lines.push(details)})
  const broken = new Error('Key (words of people) already exists')
  routes.get('/fails', () => Promise.reject(broken))
  const reading = Promise.withResolvers<unknown>()
  const read = Promise.withResolvers<unknown>()
  routes.post('/reads', async ({req: {raw}}) => {
    reading.resolve(undefined)
    try {
      for await (const _ of raw.body as AsyncIterable<Uint8Array>);
      return Response.json('all of it')
    } finally {
      read.resolve(undefined)
    }
  })
  const origin = await start([well], undefined, routes)
  const answer = await fetch(`${origin}/fails`)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toEqual({error: 'unavailable', message: 'Ask again in 5 s.'})
  expect(lines).toEqual([{err: broken}])
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write('POST /reads HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf')
  await reading.promise
  socket.destroy()
  await read.promise
  await fetch(`${origin}/livez`)
  expect([lines, printed.mock.calls]).toEqual([[{err: broken}], []])
})

test('who asks by OPTIONS, as HAProxy does by itself, is answered as by GET', async () => {
  const origin = await start([well, {name: 'slack', check: async () => 'not connected'}])
  const ask = async (path: string) => (await fetch(origin + path, {method: 'OPTIONS'})).status
  expect([await ask('/readyz'), await ask('/healthz'), await ask('/livez')]).toEqual([
    ...[200, 503, 200],
  ])
})

test('who names no host, as balancers do that speak HTTP/1.0, is answered as well', async () => {
  const origin = await start([well])
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write('GET /readyz HTTP/1.0\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK/)
})

test('who asks by the address of an interface, or by whatever name, is answered as well', async () => {
  const origin = await start([well])
  for (const host of [
    '[fe80::1%eth0]:3000',
    '[2001:DB8:0::1]:3000',
    'Bosun.Example:8443',
    'a, b',
  ]) {
    const sent = request(`${origin}/readyz`, {headers: {host}}).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    expect([host, answer.resume().statusCode]).toEqual([host, 200])
  }
})

test('a connection stays open for longer than balancers keep theirs', async () => {
  const response = await fetch(`${await start([well])}/livez`)
  const [, seconds] = /timeout=(\d+)/u.exec(response.headers.get('keep-alive') ?? '') ?? []
  // Google's keep theirs for ten minutes, the longest there is.
  expect(Number(seconds)).toBeGreaterThan(600)
})

test('a port that is taken is told with the setting’s name', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const {port} = other.address() as AddressInfo
  const routes = () => new Response()
  const taken = listen({host: '127.0.0.1', port, slack: undefined, routes})
  await expect(taken).rejects.toThrow(ListenError)
  await expect(taken).rejects.toThrow(`PORT ${port} on 127.0.0.1 is in use`)
  const settings = {host: 'METRICS_HOST', port: 'METRICS_PORT'}
  const ofMetrics = listen({host: '127.0.0.1', port, settings, slack: undefined, routes})
  await expect(ofMetrics).rejects.toThrow(`METRICS_PORT ${port} on 127.0.0.1 is in use`)
  const foreign = listen({host: '192.0.2.1', port: 0, slack: undefined, routes})
  await expect(foreign).rejects.toThrow('HOST 192.0.2.1 is no address of this machine')
})

test('a body that dawdles ends its connection, but where files are posted', async () => {
  const routes = async (request: Request) =>
    Response.json({got: (await request.arrayBuffer()).byteLength})
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    slack: undefined,
    routes,
    bodyWithinMs: 100,
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const dawdle = (path: string): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>({
      start: async (controller) => {
        controller.enqueue(new Uint8Array([1]))
        await delay(400)
        controller.close()
      },
    })
    const sent = {method: 'POST', body, duplex: 'half'}
    return fetch(`http://127.0.0.1:${server.port}${path}`, sent)
  }
  await expect(dawdle('/elsewhere')).rejects.toThrow()
  await expect(dawdle('/agent/postsX')).rejects.toThrow()
  expect(await (await dawdle('/agent/posts')).json()).toEqual({got: 1})
})

test('whoever never reads the answer does not hold the connection', async () => {
  const left = Promise.withResolvers<unknown>()
  const routes = async ({signal}: Request) => {
    signal.addEventListener('abort', left.resolve)
    return Promise.resolve(new Response('x'.repeat(20_000_000)))
  }
  const all = {host: '127.0.0.1', port: 0, slack: undefined, routes, silentWithinMs: 100}
  await using server = await listen(all)
  const socket = connect(server.port, '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await left.promise
})

test('who is being answered when it stops reads the answer, unless that takes long', async () => {
  const [begun, done] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
  const routes = async ({url}: Request) => {
    if (url.endsWith('/never')) return new Promise<never>(() => undefined)
    begun.resolve(undefined)
    await done.promise
    return new Response('taken')
  }
  const server = await listen({host: '127.0.0.1', port: 0, slack: undefined, routes})
  const origin = `http://127.0.0.1:${server.port}`
  const [soon, never] = [fetch(`${origin}/soon`), fetch(`${origin}/never`)]
  never.catch(() => undefined)
  await begun.promise
  const stopped = server[Symbol.asyncDispose]()
  done.resolve(undefined)
  const taken = await soon
  // Nobody sends more into it: that would be lost.
  expect([await taken.text(), taken.headers.get('connection')]).toEqual(['taken', 'close'])
  await expect(never).rejects.toThrow()
  await stopped
})

test('what has been sent into a connection that stood idle is answered when it stops', async () => {
  const answers: string[] = []
  const routes = async ({url}: Request) => Promise.resolve(new Response(new URL(url).pathname))
  const server = await listen({host: '127.0.0.1', port: 0, slack: undefined, routes})
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  ask('/before')
  await once(socket, 'data')
  socket.on('data', (text: string) => answers.push(text))
  ask('/just-now')
  await Promise.all([once(socket, 'close'), server[Symbol.asyncDispose]()])
  expect(answers.join('')).toMatch(/^HTTP\/1\.1 200 OK.*connection: close.*\/just-now$/is)
})
