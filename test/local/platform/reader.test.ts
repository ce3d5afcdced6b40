import {realClock} from '../../../local/platform/clock.ts'
import {once} from 'node:events'
import {createServer, get, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {openDatabase, type Database} from '../../../local/platform/database.ts'
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
  createThreads({database, clock: realClock, vocabulary: 'guides'})
  entries = createEntries(database, realClock)
  live = createLive()
  live.publish('t', {kind: 'run', phase: 'start'})
  server = createServer((_request, response) => {
    outgoing = response
    startReader({
      threadId: 't',
      key: 'k',
      clock: realClock,
      afterSeq: 0,
      untilRun: false,
      response,
      live,
      entries,
      status: () => status,
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
