import {once} from 'node:events'
import {type IncomingMessage, createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {z} from 'zod'
import {canariesIn} from '../support/world.ts'
import {startInside} from './open-world.ts'

const spansSchema = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              ...{traceId: z.string(), spanId: z.string(), parentSpanId: z.string().optional()},
              ...{name: z.string(), startTimeUnixNano: z.string(), endTimeUnixNano: z.string()},
            }),
          ),
        }),
      ),
    }),
  ),
})

/** What takes traces as OTLP, in JSON. */
async function startCollector() {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.url === '/v1/traces') bodies.push(body)
      response.writeHead(200, {'content-type': 'application/json'}).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join('\n'),
    spans: () =>
      bodies.flatMap((body) =>
        spansSchema
          .parse(JSON.parse(body))
          .resourceSpans.flatMap(({scopeSpans}) => scopeSpans.flatMap(({spans}) => spans)),
      ),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

test('one trace leads from a message to the message that shows what came of it', async () => {
  const collector = await startCollector()
  await using world = await startInside({
    settings: {OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint},
  })
  const place = await world.say('@Bosun fix the zebracorn of the cart')
  await world.settled(place)
  const before = world.transcriptIn(place).length
  await world.reply(place, 'and now the okapi')
  await world.until('it works again', () => world.transcriptIn(place).length > before)
  await world.settled(place)
  const secrets = Object.values(canariesIn(world))
  await world.bot.stop()

  const spans = collector.spans()
  const roots = spans.filter(({name}) => name === 'slack message')
  roots.sort((a, b) => (a.startTimeUnixNano < b.startTimeUnixNano ? -1 : 1))
  expect(roots).toHaveLength(2)
  const texts = collector.text()
  const [mention, followUp] = roots.map((root) => {
    const own = spans.filter(({traceId}) => traceId === root.traceId)
    const ids = new Set(own.map(({spanId}) => spanId))
    // All of it hangs together, and lies within.
    expect(own.filter(({parentSpanId}) => parentSpanId && !ids.has(parentSpanId))).toEqual([])
    const ends = own.map(({endTimeUnixNano}) => BigInt(endTimeUnixNano))
    expect(ends.every((end) => end <= BigInt(root.endTimeUnixNano) + 5_000_000n)).toBe(true)
    return new Set(own.map(({name}) => name))
  })
  for (const name of ['inbox', 'stream', 'POST /threads', 'chat.postMessage', 'chat.update']) {
    expect([...(mention ?? [])]).toContain(name)
  }
  for (const name of ['inbox', 'stream', 'POST /threads/:id/message', 'chat.update']) {
    expect([...(followUp ?? [])]).toContain(name)
  }
  expect(texts).not.toMatch(/zebracorn|okapi|Jane/i)
  expect(texts).not.toMatch(/thread_|C0WEB|U0JANE/)
  expect(secrets.filter((secret) => secret !== '' && texts.includes(secret))).toEqual([])
})
