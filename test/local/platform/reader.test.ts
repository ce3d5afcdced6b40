import {realClock} from '../../../local/platform/clock.ts'
import {once} from 'node:events'
import {createServer, get, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {openDatabase, type Database} from '../../../local/platform/database.ts'
import {createOrganization} from '../../../local/platform/organization/organization.ts'
import {defaultSeed} from '../../../local/platform/seed/default-seed.ts'
import {parseSeed} from '../../../local/platform/seed/seed.ts'
import {createEntries, type Entries} from '../../../local/platform/threads/entries.ts'
import {createThreads} from '../../../local/platform/threads/threads.ts'
import {createLive, type Live} from '../../../local/platform/streams/live.ts'
import {startReader} from '../../../local/platform/streams/reader.ts'

const MEBIBYTE = 1024 * 1024

let database: Database
let entries: Entries
let live: Live
let server: Server
let incoming: IncomingMessage
let outgoing: ServerResponse
let status = 'active'

/** One reader over a real connection that the client does not read. */
beforeEach(async () => {
  status = 'active'
  database = openDatabase(':memory:')
  createOrganization({database, clock: realClock, seed: parseSeed(defaultSeed, 'of the test')})
  createThreads({database, clock: realClock, vocabulary: 'guides'})
  entries = createEntries(database, realClock)
  live = createLive()
  live.publish('t', {kind: 'run', phase: 'start'})
  server = createServer((_request, response) => {
    outgoing = response
    startReader({
      ownerId: 't',
      key: 'k',
      clock: realClock,
      afterSeq: 0,
      untilRun: false,
      response,
      live,
      entries,
      state: () => ({kind: 'status', status}),
      onClose: () => undefined,
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const request = get({host: '127.0.0.1', port})
  ;[incoming] = (await once(request, 'response')) as [IncomingMessage]
  incoming.pause()
})
afterEach(() => {
  incoming.destroy()
  server.close()
  server.closeAllConnections()
  database.close()
})

const say = (id: string, source: 'assistant' | 'tool' = 'assistant'): void => {
  const draft = {id, source, text: id, ...(source === 'assistant' ? {callId: `call-${id}`} : {})}
  live.publish('t', {kind: 'entry', entry: entries.append('t', draft)})
}

const write = (text: string): void => live.publish('t', {kind: 'assistant', callId: 'call-a', text})

/** Fragments until the reader has been given up on; the connection gets time to take what it can. */
const flood = async (): Promise<void> => {
  for (let round = 0; outgoing.writableLength <= MEBIBYTE && round < 1000; round++) {
    write('x'.repeat(100_000))
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (let round = 0; round < 50; round++) write('x'.repeat(100_000))
}

const readUntil = async (mark: string): Promise<string[]> => {
  let text = ''
  incoming.setEncoding('utf8')
  for await (const chunk of incoming) {
    text += String(chunk)
    if (text.includes(mark)) break
  }
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: ') && !block.startsWith('event: assistant'))
    .map((block) => block.replace(/^event: (\w+)\n(id: .*\n)?data: /, '$1 '))
    .map((line) => line.replace(/^transcript {"id":"([^"]+)".*$/, 'transcript $1'))
}

test('a client that takes nothing costs about 1 MiB, and its turn is dropped', async () => {
  live.publish('t', {kind: 'turn', phase: 'start'})
  await flood()
  expect(outgoing.writableLength).toBeLessThan(MEBIBYTE + 200_000)
  for (let index = 0; index < 300; index++) say(`tool-${index}`, 'tool')
  say('a')
  expect(outgoing.writableLength).toBeLessThan(MEBIBYTE + 200_000)
  live.publish('t', {kind: 'turn', phase: 'end', outcome: 'settled'})
  live.publish('t', {kind: 'run', phase: 'end'})
  status = 'idle'
  live.publish('t', {kind: 'status', status})
  expect(await readUntil('"idle"')).toEqual([
    'status {"threadId":"t","status":"active"}',
    'run {"phase":"start"}',
    'turn {"phase":"start"}',
    'turn {"phase":"end","outcome":"dropped"}',
    ...Array.from({length: 300}, (_, index) => `transcript tool-${index}`),
    'transcript a',
    'run {"phase":"end"}',
    'status {"threadId":"t","status":"idle"}',
  ])
})

test('the turn after a dropped one is live again', async () => {
  live.publish('t', {kind: 'turn', phase: 'start'})
  await flood()
  const read = readUntil('"id":"b"')
  // The reader has caught up once its answers fit again.
  while (outgoing.writableLength > 0) await new Promise((resolve) => setImmediate(resolve))
  write('of the dropped turn')
  live.publish('t', {kind: 'turn', phase: 'end', outcome: 'settled'})
  live.publish('t', {kind: 'turn', phase: 'start'})
  live.publish('t', {kind: 'toolCall', callId: 'b', name: 'search', text: 'b'})
  say('b', 'tool')
  expect((await read).slice(-4)).toEqual([
    'turn {"phase":"end","outcome":"dropped"}',
    'turn {"phase":"start"}',
    'tool_call {"callId":"b","name":"search","text":"b"}',
    'transcript b',
  ])
})

test('a turn too large to be replayed is dropped for a late reader', async () => {
  live.publish('t', {kind: 'turn', phase: 'start'})
  for (let index = 0; index < 12; index++) write('x'.repeat(100_000))
  expect(live.state('t')).toMatchObject({previews: [], previewLength: 0, isTooLarge: true})
  const late = await readLate('"id":"b"', () => {
    write('after that')
    say('a')
    live.publish('t', {kind: 'turn', phase: 'end', outcome: 'settled'})
    live.publish('t', {kind: 'turn', phase: 'start'})
    live.publish('t', {kind: 'toolCall', callId: 'b', name: 'search', text: 'b'})
    say('b', 'tool')
  })
  expect(late).toEqual([
    'status {"threadId":"t","status":"active"}',
    'run {"phase":"start"}',
    'turn {"phase":"start"}',
    'turn {"phase":"end","outcome":"dropped"}',
    'transcript a',
    'turn {"phase":"start"}',
    'tool_call {"callId":"b","name":"search","text":"b"}',
    'transcript b',
  ])
})

test('what settles makes room in a turn again', () => {
  live.publish('t', {kind: 'turn', phase: 'start'})
  for (let index = 0; index < 20; index++) {
    write('x'.repeat(100_000))
    say('a')
  }
  expect(live.state('t')).toMatchObject({previews: [], previewLength: 0, isTooLarge: false})
})

test('a live frame too large for a preview drops the turn', async () => {
  live.publish('t', {kind: 'turn', phase: 'start'})
  write('x'.repeat(MEBIBYTE))
  write('more of it')
  say('a')
  live.publish('t', {kind: 'turn', phase: 'end', outcome: 'settled'})
  live.publish('t', {kind: 'run', phase: 'end'})
  const seen = await readUntil('run\ndata: {"phase":"end"}')
  expect(seen.slice(-4)).toEqual([
    'turn {"phase":"start"}',
    'turn {"phase":"end","outcome":"dropped"}',
    'transcript a',
    'run {"phase":"end"}',
  ])
})

test('a reader that was behind is told how each task stands now', async () => {
  live.publish('t', {kind: 'turn', phase: 'start'})
  await flood()
  for (const status of ['working', 'waiting', 'done'] as const) {
    const task = {taskId: 'task_1', taskPath: '1', status, archived: false}
    live.publish('t', {kind: 'task', task})
  }
  const seen = await readUntil('"done"')
  expect(seen.filter((line) => line.startsWith('task'))).toEqual([
    'task {"taskId":"task_1","taskPath":"1","status":"done","archived":false}',
  ])
})

/** What another reader sees that comes now, while `act` goes on. */
const readLate = async (mark: string, act: () => void): Promise<string[]> => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  incoming.destroy()
  ;[incoming] = (await once(get({host: '127.0.0.1', port}), 'response')) as [IncomingMessage]
  act()
  return readUntil(mark)
}
