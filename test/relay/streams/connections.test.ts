import {expect, onTestFinished, test} from 'vitest'
import {PlatformUnauthorized, PlatformUnreachable} from '../../../src/platform/errors.ts'
import type {Transport} from '../../../src/platform/transport.ts'
import {createConnections} from '../../../src/relay/streams/connections.ts'
import {Secret} from '../../../src/security/secret.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

const OLD = new Secret('old')
const NEW = new Secret('new')

/** The answer of a connection that does not take the key; others are what it brings before it is closed without a word. */
const REFUSED = 'refused'

const entry = (id: string): string =>
  `id: c-${id}\nevent: transcript\ndata: {"id": "${id}", "source": "assistant", "text": "${id}"}\n\n`
const SOON = 'retry: 1\n\n'

/** A platform whose streams answer so, one after the other, and who asked for them. */
function openConnections(answers: readonly string[], keyOf: () => Secret | undefined) {
  const asked: {key: string; after: string | undefined}[] = []
  const verdicts: string[] = []
  const breaks: unknown[] = []
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const transport: Transport = {
    json: () => Promise.reject(new PlatformUnreachable('it is away', false)),
    events: async ({apiKey, headers}) => {
      const answer = answers[asked.length] ?? REFUSED
      asked.push({key: apiKey.reveal(), after: headers?.['last-event-id']})
      if (answer === REFUSED) throw new PlatformUnauthorized('no such key')
      return {
        close: () => undefined,
        async *[Symbol.asyncIterator]() {
          yield Buffer.from(answer)
        },
      }
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
  const connections = createConnections({
    ...{transport, keyOf, log: SILENT_LOG, onBreak: (error) => void breaks.push(error)},
    onKey: (_of, verdict) => void verdicts.push(verdict),
  })
  const read = async (): Promise<string[]> => {
    const seen: string[] = []
    for await (const frame of connections.follow({...FRESH_LINK, threadId: 't'}, stop.signal)) {
      if (frame.type === 'transcript') seen.push(frame.entry.id)
      if (frame.type === 'done') break
    }
    return seen
  }
  return {connections, read, asked, verdicts, breaks}
}

test('a stream whose key was replaced goes on with the new one, behind what it has brought', async () => {
  let key = OLD
  const answers = [SOON + entry('1'), REFUSED, `${entry('2')}event: done\ndata: {}\n\n`]
  const {read, asked, connections, breaks} = openConnections(answers, () => {
    // Somebody replaces it while the stream is broken.
    if (asked.length === 2) key = NEW
    return key
  })
  expect(await read()).toEqual(['1', '2'])
  expect(asked).toEqual([
    {key: 'old', after: undefined},
    {key: 'old', after: 'c-1'},
    {key: 'new', after: 'c-1'},
  ])
  expect(breaks).toHaveLength(1)
  expect([connections.openStreams(), connections.brokenStreams()]).toEqual([0, 0])
})

test('a stream whose key is refused and stands ends, and the refusal is told of', async () => {
  const {read, asked, verdicts} = openConnections([SOON + entry('1'), REFUSED], () => OLD)
  await expect(read()).rejects.toThrow(PlatformUnauthorized)
  expect(asked).toHaveLength(2)
  expect(verdicts).toContain('refused')
})

test('a stream whose key is refused and was taken away ends', async () => {
  const keys: (Secret | undefined)[] = [OLD]
  const {read, asked} = openConnections([REFUSED], () => keys.shift())
  await expect(read()).rejects.toThrow('no such key')
  expect(asked).toHaveLength(1)
})

test('whoever waits for what becomes of a key is not kept waiting by a second try', async () => {
  const {connections} = openConnections([], () => undefined)
  let asks = 0
  const transport: Transport = {
    json: () => {
      asks += 1
      return Promise.reject(new PlatformUnreachable('it is away', false))
    },
    events: () => Promise.reject(new Error('not asked for')),
    [Symbol.asyncDispose]: async () => undefined,
  }
  const other = createConnections({transport, keyOf: () => undefined, log: SILENT_LOG})
  const {signal} = new AbortController()
  await expect(other.clientWith(NEW).getThread('t', signal)).rejects.toThrow('it is away')
  expect(asks).toBe(1)
  expect(() => connections.clientOf({connectionId: undefined})).toThrow(PlatformUnauthorized)
})
