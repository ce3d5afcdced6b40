import {NOTHING_BESIDE} from '../support/fresh-link.ts'
import {once} from 'node:events'
import {type AddressInfo, type Socket, createServer} from 'node:net'
import {type TestContext, describe, expect, test} from 'vitest'
import {startPlatform} from '../../local/platform/server.ts'
import {createPlatformClient} from '../../src/platform/client.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import {type Transport, createTransport} from '../../src/platform/transport.ts'
import type {WantedPost} from '../../src/relay/post.ts'
import {wantedPosts} from '../../src/relay/posts/posts.ts'
import {type Timeline, createTimeline, fold} from '../../src/relay/timeline/timeline.ts'
import {Secret} from '../../src/security/secret.ts'
import {splitRule} from '../../src/slack/posts/writer.ts'
import {bareLink, cutEverywhere} from '../support/cut-streams.ts'
import {record} from '../support/recorded-streams.ts'
import {shortStories} from '../support/stream-stories.ts'

const AT_ONCE = 24

test.for(['torn', 'closed'] as const)(
  'a stream that is %s in the middle of a run ends in the same posts, wherever',
  async (manner, context) => {
    const recording = await recordBytes('fix the 価格 & <rounding> of the cart')
    const replay = await startReplay(context, recording, manner)
    const whole = await postsAfter(replay.connect(), recording.length)
    expect(whole.filter(({key}) => key.startsWith('say:'))).toHaveLength(1)

    const expected = JSON.stringify(whole)
    const wrong: number[] = []
    let offset = 0
    const work = async (): Promise<void> => {
      // Each with a way of its own: one way lets streams connect at a bounded rate only.
      const transport = replay.connect()
      while (offset < recording.length) {
        const at = offset
        // A torn connection may lose what was under way: every eighth byte is enough of that. `bench/cuts.ts` takes them all.
        offset += manner === 'torn' ? 8 : 2
        if (JSON.stringify(await postsAfter(transport, at)) !== expected) wrong.push(at)
      }
    }
    await Promise.all(Array.from({length: AT_ONCE}, work))
    expect(wrong).toEqual([])
    expect(replay.cuts()).toBeGreaterThanOrEqual(Math.floor(recording.length / 8))
  },
)

describe('in process, cut once behind every byte, it ends in the same posts', () => {
  test.each(shortStories)('$story.name, $dialect.name', async ({story, dialect}) => {
    const {offsets, wrong} = await cutEverywhere(await record(story), dialect, {seed: 1})
    expect(wrong).toEqual([])
    expect(offsets).toBeGreaterThan(100)
  })
})

interface Replay {
  connect(): Transport
  cuts(): number
}

/** The raw bytes of one run's stream, from the thread's beginning to its rest. */
async function recordBytes(message: string): Promise<Buffer> {
  await using platform = await startPlatform({pace: 0.005})
  const headers = {authorization: `Bearer ${platform.keys.human}`}
  const created = await fetch(`${platform.baseUrl}/threads`, {
    method: 'POST',
    headers: {...headers, 'content-type': 'application/json'},
    body: JSON.stringify({requestId: 'r', projectId: platform.projectIds[0], message}),
  })
  const {id} = (await created.json()) as {id: string}
  const stream = await fetch(`${platform.baseUrl}/threads/${id}/stream`, {headers})
  const chunks: Uint8Array[] = []
  for await (const chunk of stream.body ?? []) {
    chunks.push(chunk)
    if (Buffer.concat(chunks).includes('"status":"idle"')) break
  }
  return Buffer.concat(chunks)
}

/**
 * Serves the recording: `/threads/<offset>/stream` breaks off behind so many bytes, and what is asked for behind an
 * entry goes to the end and stays open.
 */
async function startReplay(
  {onTestFinished}: TestContext,
  recording: Buffer,
  manner: 'torn' | 'closed',
): Promise<Replay> {
  const resumes = resumePoints(recording)
  const asked = new Set<string>()
  let cuts = 0
  const answer = (socket: Socket, request: string): void => {
    const offset = /threads\/(\d+)\/stream/.exec(request)?.[1] ?? ''
    const cursor = /^last-event-id: (.*)$/im.exec(request)?.[1]?.trim()
    const isFirst = !asked.has(offset)
    asked.add(offset)
    const from = cursor === undefined ? 0 : (resumes.get(cursor) ?? NaN)
    const bytes = recording.subarray(from, isFirst ? Number(offset) : undefined)
    const isCut = from + bytes.length < recording.length
    if (isCut) cuts += 1
    const type = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n'
    if (manner === 'closed') {
      // A body without a length ends with its connection: every byte of it arrives.
      socket.write(`${type}connection: close\r\n\r\n`)
      socket.write(bytes)
    } else {
      socket.write(`${type}transfer-encoding: chunked\r\n\r\n`)
      if (bytes.length > 0) socket.write(`${bytes.length.toString(16)}\r\n`)
      if (bytes.length > 0) socket.write(Buffer.concat([bytes, Buffer.from('\r\n')]))
    }
    if (isCut) socket.end()
  }
  const server = createServer({noDelay: true}, (socket) => {
    let request = ''
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      request += chunk.toString('latin1')
      if (!request.endsWith('\r\n\r\n')) return
      answer(socket, request)
      request = ''
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = server.address() as AddressInfo
  const opened = new AsyncDisposableStack()
  opened.defer(() => void server.close())
  onTestFinished(() => opened.disposeAsync())
  const connect = (): Transport => opened.use(createTransport(`http://127.0.0.1:${port}/api/v1`))
  return {connect, cuts: () => cuts}
}

/** Where the stream goes on behind each transcript frame. */
function resumePoints(recording: Buffer): Map<string, number> {
  const points = new Map<string, number>()
  const text = recording.toString('latin1')
  for (const match of text.matchAll(/^id: (\S+)$/gm)) {
    points.set(match[1] ?? '', text.indexOf('\n\n', match.index) + 2)
  }
  return points
}

/** What should stand in Slack once the run has come to its rest. */
async function postsAfter(transport: Transport, offset: number): Promise<WantedPost[]> {
  const apiKey = new Secret('key')
  const end = new AbortController()
  const frames = follow({
    transport,
    apiKey,
    client: createPlatformClient({transport, apiKey}),
    threadId: String(offset),
    after: undefined,
    signal: end.signal,
    wait: async () => undefined,
  })
  let timeline: Timeline = createTimeline({
    status: undefined,
    statusSinceMs: 0,
    steps: 0,
    cursor: undefined,
    drafts: [],
  })
  for await (const frame of frames) {
    timeline = fold(timeline, frame, {nowMs: 0, isOurs: false})
    if (frame.type === 'status' && frame.status === 'idle') end.abort()
  }
  return wantedPosts(bareLink, timeline, NOTHING_BESIDE, splitRule)
}
