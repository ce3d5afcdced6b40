import {once} from 'node:events'
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import {json} from 'node:stream/consumers'
import {expect, onTestFinished, test} from 'vitest'
import {z} from 'zod'
import {eventually} from './eventually.ts'
import {deliveriesOf, listenOverHttp, openSlack} from './slack-fixture.ts'

const jane = {as: 'U0JANE', channel: 'C0WEB'}

test('a Bolt receiver accepts the signature of events, presses and commands', async () => {
  const {slack, client} = await openSlack()
  const {app, heard} = await listenOverHttp(slack)
  app.action('stop', async ({ack}) => ack())
  app.command('/bosun', async ({ack, command}) => ack(`You said ${command.text}`))
  await slack.people.post({...jane, text: '@Bosun hi'})
  await eventually(
    () => heard.length,
    (count) => count === 2,
  )
  const {ts = ''} = await client.chat.postMessage({
    channel: 'C0WEB',
    blocks: [
      {
        type: 'actions',
        elements: [{type: 'button', action_id: 'stop', text: {type: 'plain_text', text: 'Stop'}}],
      },
    ],
  })
  await expect(slack.people.press({...jane, ts, actionId: 'stop'})).resolves.toBe('acked')
  const command = {...jane, command: '/bosun', text: 'help'}
  await expect(slack.people.command(command)).resolves.toBe('acked')
  expect(slack.ephemerals('C0WEB', 'U0JANE')).toMatchObject([{text: 'You said help'}])
})

test('a failing receiver gets the event again, with retry headers', async () => {
  const {slack} = await openSlack()
  const requests = await listenBare((_request, response) => response.writeHead(500).end(), slack)
  await slack.people.post({...jane, text: 'x'})
  await eventually(
    () => requests.length,
    (count) => count === 2,
  )
  expect(requests.map(({headers}) => headers['x-slack-retry-num'])).toEqual([undefined, '1'])
  expect(requests[1]?.headers['x-slack-retry-reason']).toBe('http_error')
})

test('x-slack-no-retry ends the tries', async () => {
  const {slack} = await openSlack()
  const headers = {'x-slack-no-retry': '1'}
  await listenBare((_request, response) => response.writeHead(500, headers).end(), slack)
  await slack.people.post({...jane, text: 'first'})
  const tries = () => deliveriesOf(slack, 'message')
  await eventually(tries, ([first]) => first?.outcome === 'failed')
  await slack.people.post({...jane, text: 'second'})
  await eventually(tries, (list) => list.at(-1)?.outcome === 'failed' && list.length >= 2)
  expect(tries().map(({attempt}) => attempt)).toEqual([0, 0])
})

test('a slow receiver times out', async () => {
  const {slack} = await openSlack({timeFactor: 0.01})
  let count = 0
  const requests = await listenBare((_request, response) => {
    count += 1
    if (count > 1) response.end()
  }, slack)
  await slack.people.post({...jane, text: 'x'})
  await eventually(
    () => deliveriesOf(slack, 'message').map(({outcome}) => outcome),
    // A busy machine may be too slow for the second try as well.
    (outcomes) => outcomes[0] === 'timeout' && outcomes.includes('acked'),
  )
  expect(requests[1]?.headers['x-slack-retry-reason']).toBe('http_timeout')
})

test('up to two redirects are followed, and no more', async () => {
  const {slack} = await openSlack()
  const next: Record<string, string> = {'/': '/1', '/1': '/2'}
  const requests = await listenBare((request, response) => {
    const location = next[request.url ?? '']
    if (location === undefined) response.end()
    else response.writeHead(307, {location}).end()
  }, slack)
  await slack.people.post({...jane, text: 'x'})
  const tries = () => deliveriesOf(slack, 'message')
  await eventually(tries, ([first]) => first?.outcome === 'acked')
  expect(requests.map(({url}) => url)).toEqual(['/', '/1', '/2'])
  const signatures = requests.map(({headers}) => headers['x-slack-signature'])
  expect(new Set(signatures).size).toBe(1)
})

test('a third redirect is the reason of a retry', async () => {
  const {slack} = await openSlack()
  const requests = await listenBare((request, response) => {
    const isRetry = request.headers['x-slack-retry-num'] !== undefined
    if (isRetry) response.end()
    else response.writeHead(302, {location: `${request.url ?? ''}x`}).end()
  }, slack)
  await slack.people.post({...jane, text: 'x'})
  await eventually(
    () => deliveriesOf(slack, 'message'),
    (list) => list[1]?.outcome === 'acked',
  )
  expect(requests.map(({url}) => url)).toEqual(['/', '/x', '/xx', '/'])
  expect(requests[3]?.headers['x-slack-retry-reason']).toBe('too_many_redirects')
})

test('an address gets nothing before it has answered the challenge, once', async () => {
  const {slack} = await openSlack()
  const said: unknown[] = []
  const bodies = await listenToBodies(slack, (body, response) => {
    const {challenge} = body
    const isRight = said.push(challenge) > 1
    if (challenge !== undefined && isRight) response.end(challenge)
    else response.end('ok')
  })
  await slack.people.post({...jane, text: 'x'})
  await eventually(
    () => bodies.map(({type}) => type),
    (types) => types.includes('event_callback'),
  )
  await slack.people.post({...jane, text: 'y'})
  await eventually(
    () => bodies.length,
    (count) => count === 4,
  )
  const challenges = Array<string>(2).fill('url_verification')
  expect(bodies.map(({type}) => type)).toEqual([...challenges, 'event_callback', 'event_callback'])
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

interface Reached {
  setEventsUrl(url: string): void
}

const bodySchema = z.object({type: z.string(), challenge: z.string().optional()})
type Body = z.infer<typeof bodySchema>

/** Answers the challenge, and leaves what comes after it to the test. */
async function listenBare(answer: Answer, slack: Reached): Promise<IncomingMessage[]> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const {challenge} = bodySchema.parse(body)
      if (challenge !== undefined) {
        response.end(challenge)
        return
      }
      requests.push(request)
      answer(request, response)
    })
  })
  await listen(server, slack)
  return requests
}

async function listenToBodies(
  slack: Reached,
  answer: (body: Body, response: ServerResponse) => void,
): Promise<Body[]> {
  const bodies: Body[] = []
  const server = createServer((request, response) => {
    void json(request).then((parsed) => {
      const body = bodySchema.parse(parsed)
      bodies.push(body)
      answer(body, response)
    })
  })
  await listen(server, slack)
  return bodies
}

async function listen(server: Server, slack: Reached): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port.')
  slack.setEventsUrl(`http://127.0.0.1:${address.port}/`)
}
