import type {ServerResponse} from 'node:http'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {PlatformUnauthorized, PlatformUnreachable} from '../../src/platform/errors.ts'
import {follow} from '../../src/platform/stream/reconnecting.ts'
import {answerJson, apiKey, clientTo, serve, transportTo} from './http-server.ts'
import {task, thread} from './samples.ts'
import {cursors, done, entry, outline, row, sse, status, watch} from './scripted-stream.ts'

const followAt = (origin: string, options: {maxFrameChars?: number} = {}) =>
  follow({
    ...{transport: transportTo(origin), client: clientTo(origin), apiKey},
    ...{threadId: 't', after: undefined, signal: new AbortController().signal},
    ...options,
  })

describe('resuming', () => {
  test('each connection goes on behind the last complete entry', async () => {
    const half = row('c').slice(0, -3)
    const {frames, requests} = await watch([row('a') + row('b') + half, half, row('c') + done])
    expect(outline(frames)).toEqual(['connected', 'a', 'b', 'connected', 'connected', 'c', 'done'])
    expect(
      frames.flatMap(({type}, at) => (type === 'broken' ? [frames[at + 1]?.type] : [])),
    ).toEqual(['connected', 'connected'])
    expect(cursors(requests)).toEqual([undefined, 'c-b', 'c-b'])
    expect(requests[0]?.url).toBe('/api/v1/threads/t%2F1/stream')
  })

  test('an entry without a cursor, or with an empty one, does not move it back', async () => {
    const bare = sse('transcript', entry('x')) + sse('transcript', entry('y'), '')
    const {requests} = await watch([row('a') + bare, done], {after: 'c-0'})
    expect(cursors(requests)).toEqual(['c-0', 'c-a'])
  })

  test('wherever the bytes are cut, every entry comes once', async () => {
    const body = status('active') + row('a', '👩🏽‍💻 日本') + row('b') + status('idle') + done
    const bytes = Buffer.from(body)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length - 1), {maxLength: 4}), async (cuts) => {
        const all = ['a', 'b']
        const {frames} = await watch([
          ...cuts.map((cut) => (response: ServerResponse) => {
            const from = all.indexOf(String(response.req.headers['last-event-id']).slice(2)) + 1
            const rest =
              status('active') +
              all
                .slice(from)
                .map((id) => row(id))
                .join('')
            response.writeHead(200, {'content-type': 'text/event-stream'})
            response.end(Buffer.from(rest).subarray(0, cut))
          }),
          (response: ServerResponse) => {
            const from = all.indexOf(String(response.req.headers['last-event-id']).slice(2)) + 1
            const rest = all
              .slice(from)
              .map((id) => row(id))
              .join('')
            response.writeHead(200, {'content-type': 'text/event-stream'}).end(rest + done)
          },
        ])
        const entries = frames.filter(({type}) => type === 'transcript')
        expect(outline(entries)).toEqual(all)
      }),
      {numRuns: 40},
    )
  })

  test('unknown events and shapes pass by', async () => {
    const odd = [
      sse('novelty', {a: 1}),
      'event: status\ndata: {broken\n\n',
      sse('transcript', {id: 7}),
      sse('assistant', null),
      'data: {}\n\n',
      sse('constructor', {}),
    ].join('')
    const {frames} = await watch([odd + sse('heartbeat', {more: 1}) + done])
    expect(outline(frames)).toEqual(['connected', 'heartbeat', 'done'])
  })
})

describe('waiting', () => {
  test('it doubles while nothing is heard, jittered, up to half a minute and the retry on top', async () => {
    const fails = Array.from({length: 8}, () => '')
    const {waits} = await watch(fails)
    expect(waits).toEqual([3, 4, 6, 10, 17, 17, 17, 17].map((seconds) => seconds * 1000))
    const {waits: shortest} = await watch(fails, {random: () => 0})
    expect(shortest).toEqual(fails.map(() => 2000))
  })

  test('the server’s retry line is the least of it, and a frame starts it anew', async () => {
    const {waits} = await watch(['retry: 500\n\n', '', row('a'), ''], {random: () => 1})
    expect(waits).toEqual([1000, 1500, 1000, 1500])
  })

  test('a retry line of nothing does not make it ask without a pause', async () => {
    const fails = ['retry: 0\n\n', '', '', '']
    const {waits} = await watch(fails, {random: () => 1})
    expect(waits).toEqual([500, 1000, 2000, 4000])
  })

  test('the status that opens each connection says nothing of what follows it', async () => {
    let nowMs = 1000
    const failing = status('active') + sse('error', {code: 'internal', message: 'no replay'})
    const waits: number[] = []
    const {frames} = await watch(
      Array.from({length: 6}, () => failing),
      {
        random: () => 1,
        clock: {nowMs: () => nowMs, dateMs: () => nowMs},
        wait: async (ms) => {
          waits.push(ms)
          nowMs += ms
        },
      },
    )
    expect(waits).toEqual([4, 6, 10, 18, 22, 10, 32].map((seconds) => seconds * 1000))
    const told = frames.filter(({type}) => type === 'disconnected')
    // After a minute, and after the connection of the tenth second behind it.
    expect(told).toEqual([1000, 1000].map((sinceMs) => ({type: 'disconnected', sinceMs})))
  })

  test('a retry line is heeded up to an hour, in which the transcript and the state are read', async () => {
    const clock = {nowMs: () => 0, dateMs: () => 0}
    const waitedMs = async (line: string): Promise<number> => {
      const {waits} = await watch([line], {clock})
      return waits.reduce((sum, ms) => sum + ms, 0)
    }
    expect(await waitedMs('retry: 300000\n\n')).toBe(315_000)
    expect(await waitedMs('retry: 999999999\n\n')).toBe(3_615_000)
    const items = () => ({items: [entry('a')], cursor: null})
    const {frames} = await watch(['retry: 300000\n\n'], {clock, items, thread: () => thread})
    expect(outline(frames).slice(0, 3)).toEqual(['connected', 'a', thread.status])
  })

  test('a long wait is told as soon as it has lasted a minute, and again for as long as it lasts', async () => {
    const full = (response: ServerResponse) => answerJson(response, 429, {retryAfterSeconds: 240})
    let nowMs = 1000
    const waits: number[] = []
    const {frames} = await watch([full, full, row('a') + done], {
      clock: {nowMs: () => nowMs, dateMs: () => nowMs},
      wait: async (ms) => {
        waits.push(ms)
        nowMs += ms
      },
    })
    expect(waits).toEqual([60_000, 60_000, 60_000, 60_000, 1000])
    const told = frames.filter(({type}) => type === 'disconnected')
    expect(told).toEqual(told.map(() => ({type: 'disconnected', sinceMs: 1000})))
    expect(told).toHaveLength(4)
    expect(outline(frames).slice(-3)).toEqual(['connected', 'a', 'done'])
  })

  test('whoever finds no place for a stream reads the transcript and the state meanwhile, and is not silent', async () => {
    const full = (response: ServerResponse) => answerJson(response, 429, {retryAfterSeconds: 50})
    let nowMs = 1000
    let reads = 0
    const {frames, requests} = await watch(
      [full, full, full, row('a') + row('b') + row('c') + done],
      {
        clock: {nowMs: () => nowMs, dateMs: () => nowMs},
        wait: async (ms) => void (nowMs += ms),
        items: () => {
          reads += 1
          return {items: ['a', 'b'].slice(0, reads).map((id) => entry(id)), cursor: null}
        },
        thread: () => ({...thread, status: reads === 0 ? 'active' : 'idle'}),
      },
    )
    // What was read is not told again before a stream brings it.
    expect(outline(frames).slice(0, 4)).toEqual(['a', 'active', 'b', 'idle'])
    expect(
      outline(frames)
        .filter((it) => it !== 'idle')
        .slice(3),
    ).toEqual([...['connected', 'a', 'b', 'c', 'done']])
    expect(frames.filter(({type}) => type === 'disconnected')).toEqual([])
    // The state is asked first: what is at rest by then has said all that is read behind that.
    const asked = requests.map(({url}) => /(?:stream|messages|t%2F1)(?=$|\?)/.exec(url)?.[0])
    const read = ['t%2F1', 'messages']
    expect(asked).toEqual([
      ...['stream', ...read, ...read, 'stream', ...read, ...read],
      ...['stream', ...read, ...read, 'stream'],
    ])
  })

  test('a followed task that finds no place for its stream is read, with its state', async () => {
    const full = (response: ServerResponse) => answerJson(response, 429, {retryAfterSeconds: 600})
    const {frames} = await watch([full, row('a') + done], {
      follows: {taskId: 'k1'},
      items: () => ({items: [entry('a')], cursor: null}),
      thread: () => ({...task, status: 'waiting'}),
    })
    expect(outline(frames).slice(0, 2)).toEqual(['a', 'waiting'])
  })

  test('what cannot be read at first in a long wait is read before its end', async () => {
    const ended = sse('connected', {}) + 'retry: 600000\n\n'
    let nowMs = 1000
    let looks = 0
    const {frames} = await watch([ended, row('a') + done], {
      clock: {nowMs: () => nowMs, dateMs: () => nowMs},
      wait: async (ms) => void (nowMs += ms),
      items: () => ({items: [], cursor: null}),
      thread: () => {
        looks += 1
        // A proxy's words, for now.
        return looks < 3 ? {} : {...thread, status: 'idle'}
      },
    })
    expect(looks).toBeGreaterThan(3)
    expect(outline(frames)).toContain('idle')
  })

  test('where that is refused, too, it is silent, and goes on', async () => {
    const full = (response: ServerResponse) => answerJson(response, 429, {retryAfterSeconds: 50})
    let nowMs = 1000
    const {frames, error} = await watch([full, full, full, full, full, full, row('a') + done], {
      clock: {nowMs: () => nowMs, dateMs: () => nowMs},
      wait: async (ms) => void (nowMs += ms),
    })
    expect(error).toBeUndefined()
    expect(frames.filter(({type}) => type === 'disconnected').length).toBeGreaterThan(0)
    expect(outline(frames).slice(-3)).toEqual(['connected', 'a', 'done'])
  })

  test('a 429 is waited for as long as it says', async () => {
    const {waits, frames} = await watch([
      (response) => answerJson(response, 429, {retryAfterSeconds: 9}, {'retry-after': '4'}),
    ])
    expect(waits).toEqual([10_000])
    expect(outline(frames)).toEqual(['connected', 'done'])
  })

  test.each<[string, (response: ServerResponse) => void]>([
    ['502 with HTML', (response) => response.writeHead(502).end('<html>')],
    ['404 of a proxy', (response) => response.writeHead(404).end('404 page not found')],
    ['200 with JSON', (response) => answerJson(response, 200, {})],
    ['204', (response) => response.writeHead(204).end()],
    ['a redirect', (response) => response.writeHead(302, {location: 'http://[::1]:1/'}).end()],
    ['no answer', (response) => response.destroy()],
    [
      'an error frame that passes',
      (response) => {
        response.writeHead(200, {'content-type': 'text/event-stream'})
        response.end(sse('error', {code: 'stream_unavailable', message: 'busy'}))
      },
    ],
    [
      'an error frame without words',
      (response) => {
        response
          .writeHead(200, {'content-type': 'text/event-stream'})
          .end('event: error\ndata: {\n\n')
      },
    ],
  ])('%s is a trouble to wait out', async (_name, answer) => {
    const {troubles, frames, error} = await watch([answer])
    expect(error).toBeUndefined()
    expect(troubles).toHaveLength(1)
    expect(troubles[0]).toBeInstanceOf(PlatformUnreachable)
    expect(outline(frames).at(-1)).toBe('done')
    expect(outline(frames)).not.toContain('error')
  })
})

describe('the end', () => {
  test('done is yielded, and nothing is asked any more', async () => {
    const {frames, requests} = await watch([done + row('late'), row('later')])
    expect(outline(frames)).toEqual(['connected', 'done'])
    expect(requests).toHaveLength(1)
  })

  test.each([
    [401, 'PlatformUnauthorized'],
    [403, 'PlatformForbidden'],
    [404, 'PlatformNotFound'],
    [400, 'PlatformRefused'],
  ])('a %i without a cursor cannot be helped', async (code, name) => {
    const {error, requests} = await watch([(response) => answerJson(response, code, {})])
    expect(error).toMatchObject({name})
    expect(requests).toHaveLength(1)
  })

  test('a key that is revoked meanwhile ends it', async () => {
    const {error, frames} = await watch([
      row('a') + sse('error', {code: 'unauthorized', message: 'no longer'}),
    ])
    expect(error).toBeInstanceOf(PlatformUnauthorized)
    expect(outline(frames)).toEqual(['connected', 'a'])
  })

  test('a refused cursor is dropped once, and the whole transcript follows', async () => {
    const refused = (response: ServerResponse) =>
      answerJson(response, 400, {_tag: 'svc/InvalidRequest', message: 'no cursor'})
    const {frames, requests, error} = await watch([refused, row('a'), row('b') + done], {
      after: 'old',
    })
    expect(error).toBeUndefined()
    expect(outline(frames)).toEqual(['rewound', 'connected', 'a', 'connected', 'b', 'done'])
    expect(cursors(requests)).toEqual(['old', undefined, 'c-a'])
  })

  test('a silence that outlasts a minute is told with its beginning, and anew after each answer', async () => {
    let nowMs = 1000
    const {frames} = await watch(['', '', '', row('a'), '', done], {
      // Meanwhile somebody sets the date back.
      clock: {nowMs: () => nowMs, dateMs: () => 9_000_000 - 100 * nowMs},
      wait: async () => void (nowMs += 40_000),
    })
    const told = frames.filter(({type}) => type === 'disconnected')
    expect(told).toEqual([{type: 'disconnected', sinceMs: 8_900_000}])
    expect(outline(frames)).toContain('a')
  })

  test('the signal ends it without an error, connected or waiting', async () => {
    for (const body of [row('a'), '']) {
      const stop = new AbortController()
      const {error, frames} = await watch([body], {
        signal: stop.signal,
        wait: async () => stop.abort(),
      })
      expect(error).toBeUndefined()
      expect(outline(frames).length).toBeLessThan(3)
    }
    const stop = new AbortController()
    const open = (response: ServerResponse) => {
      response.writeHead(200, {'content-type': 'text/event-stream'}).write(row('a'))
      setImmediate(() => stop.abort())
    }
    expect((await watch([open], {signal: stop.signal})).error).toBeUndefined()
  })

  test('whoever stops listening closes the connection', async () => {
    const closed = Promise.withResolvers<string>()
    const {origin} = await serve((response) => {
      response.on('close', () => closed.resolve('closed'))
      response.writeHead(200, {'content-type': 'text/event-stream'}).write(row('a'))
    })
    for await (const frame of followAt(origin)) {
      if (frame.type === 'transcript') break
    }
    expect(await closed.promise).toBe('closed')
  })
})

describe('a frame that is too large', () => {
  const huge = row('b', 'x'.repeat(4000))

  test('is fetched by paging, and what follows it is intact', async () => {
    const {frames, requests} = await watch([row('a') + huge + row('c') + done], {
      maxFrameChars: 1000,
      items: () => ({items: [entry('b', 'large'), entry('c')], cursor: null}),
    })
    expect(outline(frames)).toEqual(['connected', 'a', 'b', 'c', 'c', 'done'])
    const paged = frames.filter((it) => it.type === 'transcript' && it.cursor === undefined)
    expect(outline(paged)).toEqual(['b', 'c'])
    expect(requests[1]?.url).toBe('/api/v1/threads/t%2F1/messages?after=c-a')
  })

  test('is fetched from the start when its cursor is no good for paging', async () => {
    let asked = 0
    const {origin} = await serve((response, {url}) => {
      if (!url.includes('/messages')) {
        response.writeHead(200, {'content-type': 'text/event-stream'})
        response.end(row('a') + huge + done)
        return
      }
      asked += 1
      if (url.includes('after=')) answerJson(response, 400, {_tag: 'svc/InvalidRequest'})
      else answerJson(response, 200, {items: [entry('a'), entry('b')], cursor: null})
    })
    const frames = await Array.fromAsync(followAt(origin, {maxFrameChars: 1000}))
    expect(asked).toBe(2)
    expect(outline(frames)).toEqual(['connected', 'a', 'a', 'b', 'done'])
  })
})
