import {createServer} from 'node:http'
import {once} from 'node:events'
import type {AddressInfo} from 'node:net'
import {type TestContext, describe, expect, test} from 'vitest'
import type {Platform} from '../../local/platform/server.ts'
import type {CallRecord} from '../../local/slack/edge/ledger.ts'
import {FAULTLESS, verdict} from '../support/verdict.ts'
import type {Place, World} from '../support/world.ts'
import {openWorld} from './open-world.ts'

// What a bot waits for over five seconds, by nature: here its time runs faster than that of the stand-ins.
const HASTE = 20
type Fault = Parameters<Platform['control']['faults']['add']>[0]['fault']

const openHasty = (
  context: TestContext,
  haste = HASTE,
  heartbeatMs = 15_000 / haste,
): Promise<World> =>
  // Socket Mode has deadlines of its own, which would pass between two signs of life.
  openWorld(context, {
    ...{haste, heartbeatMs, pace: 0.1, delivery: 'http', proxy: true, slackProxy: true},
    // What is made to fail here is posted and edited.
    settings: {SLACK_WRITER: 'edit'},
  })

/** What people have said by now has arrived: over HTTP, it must not look old. */
function hurry({bot}: World): void {
  const pid = bot.pid()
  if (pid !== undefined) process.kill(pid, 'SIGUSR2')
}

const TASK = '@Bosun write the long report on prices'

describe.concurrent('a stream', () => {
  test('that is silent for 35 s is taken for dead, and resumed', async (context) => {
    const world = await openHasty(context)
    hitStream(world, {kind: 'stall', afterBytes: 1500})
    const place = await world.say(TASK)
    await world.until('it stalls', () => effects(world) === 1)
    hurry(world)
    const stalledMs = Date.now()
    const [stalled] = streamsOf(world, place)
    await world.settled(place, 150_000)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    const next = streamsOf(world, place).find(({seq}) => seq > (stalled?.seq ?? 0))
    expect(next?.atMs).toBeGreaterThan(stalledMs + 30_000 / HASTE)
  })

  test('with twenty minutes of heartbeats and nothing else is left alone, and so is Slack', async (context) => {
    // Silence kills a stream after a bit more than a second here: on a busy machine, less would be too little.
    const haste = 30
    const world = await openHasty(context, haste, 5000 / haste)
    const steps = [
      {kind: 'say', fragments: ['I am waiting for the tests.'], delayMs: 0},
      {kind: 'think', delayMs: (1_200_000 / haste) * 10},
      {kind: 'say', fragments: ['They are green.'], delayMs: 0},
    ] as const
    world.platform.control.planScript({when: {text: 'patience'}, steps: [{kind: 'turn', steps}]})
    const place = await world.say('@Bosun have patience')
    await world.until('it waits', () => world.transcriptIn(place).length === 2)
    await world.until('that is shown', () => verdict(world, place).lost.length === 0)
    await world.until('all is quiet', () => Date.now() - lastCallMs(world) > 3000)
    hurry(world)
    const before = {streams: streamsOf(world, place), edits: callsOf(world, 'chat.update')}
    await world.until('the time passes', () => world.transcriptIn(place).length > 2, 180_000)
    expect(callsOf(world, 'chat.update').length).toBe(before.edits.length)
    expect(streamsOf(world, place).length).toBe(before.streams.length)
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test('that ends with 401 is told of once, is not asked for again, and touches no other one', async (context) => {
    const world = await openHasty(context)
    const other = await world.say(TASK)
    await world.until('another link works', () => world.ours(other).length > 1)
    const data = JSON.stringify({code: 'unauthorized', message: 'The key is gone.'})
    hitStream(world, {kind: 'inject', frame: `event: error\ndata: ${data}\n\n`, every: 4}, 9)
    const place = await world.say(TASK)
    await world.until(
      'it is told',
      () => noticesIn(world, place, 'no longer accepts the key of this work') === 1,
    )
    hurry(world)
    await world.settled(other)
    await world.until('the other one ends', () => !isAtWork(world, place))
    expect(streamsOf(world, place).length).toBeLessThanOrEqual(2)
    expect(streamsOf(world, other).length).toBe(1)
    expect(noticesIn(world, place, 'no longer accepts the key of this work')).toBe(1)
    expect(verdict(world, other)).toEqual(FAULTLESS)
  })

  test.for([
    [404, 'svc/ThreadNotFound', 'no longer on the agent platform'],
    [403, 'svc/Forbidden', 'declined'],
  ] as const)(
    'that is refused with %i is given up, with words',
    async ([status, tag, words], context) => {
      const world = await openHasty(context)
      hitStream(world, {kind: 'answer', status, body: {_tag: tag, threadId: 'x'}, applied: false})
      const place = await world.say(TASK)
      await world.until('it is told', () => noticesIn(world, place, words) === 1)
      hurry(world)
      await world.until('the work ends', () => !isAtWork(world, place))
      // A refusal that may be taken back is tried once more with the next news.
      expect(streamsOf(world, place).length).toBeLessThanOrEqual(status === 404 ? 1 : 2)
    },
  )

  test('that is sent to another origin takes no key there', async (context) => {
    const asked: (string | undefined)[] = []
    const elsewhere = createServer((request, response) => {
      asked.push(request.headers.authorization)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    context.onTestFinished(() => void elsewhere.close())
    const {port} = elsewhere.address() as AddressInfo
    const world = await openHasty(context)
    for (const status of [301, 307]) {
      const headers = {location: `http://127.0.0.1:${port}/api/v1/stream`}
      hitStream(world, {kind: 'answer', status, headers, applied: false})
    }
    const place = await world.say(TASK)
    await world.until('it was sent away', () => effects(world) > 0)
    hurry(world)
    await world.until('the work ends', () => !isAtWork(world, place))
    expect(asked.filter((key) => key !== undefined)).toEqual([])
  })
})

describe.concurrent('Slack', () => {
  test.for(['chat.update', 'chat.postMessage'] as const)(
    'that wants 600 s of silence for %s gets them, while all else goes on',
    async (method, context) => {
      const haste = 40
      const world = await openHasty(context, haste)
      const place = await world.say(TASK)
      await world.until('a reply stands', () => world.ours(place).length > 1)
      const wait = {times: 1, status: 429, applied: false, retryAfterSeconds: 600}
      world.slack.faults.failNext(method, wait)
      const other = await world.say('@Bosun a quick check')
      await world.until('it has arrived', () => world.threadIn(other) !== undefined)
      hurry(world)
      const limited = await world.until('it is limited', () =>
        callsOf(world, method).find(({status}) => status === 429),
      )
      await world.settled(place)
      await world.settled(other)
      for (const it of [place, other]) expect(verdict(world, it)).toEqual(FAULTLESS)
      const next = callsOf(world, method).find(({seq}) => seq > limited.seq)
      expect((next?.atMs ?? 0) - limited.atMs).toBeGreaterThan(595_000 / haste)
      const meanwhile = world.slack.ledger.calls.filter(
        ({atMs, seq}) => seq > limited.seq && atMs < (next?.atMs ?? 0),
      )
      expect(meanwhile.length).toBeGreaterThan(0)
    },
  )

  test.for([
    ['without a time', ''],
    ['with a time that nobody can read', 'retry-after: in a while\r\n'],
    ['with a date', 'retry-after: Fri, 31 Dec 2027 23:59:59 GMT\r\n'],
  ] as const)(
    'that limits %s is obeyed for a while, and nothing is lost',
    async ([, header], context) => {
      const world = await openHasty(context)
      const body = '{"ok":false,"error":"ratelimited"}'
      const head = `HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\n${header}`
      const answer = `${head}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
      for (const method of ['chat.postMessage', 'chat.update']) {
        world.slackProxy.answerNext(new RegExp(`POST /api/${method}`), answer)
      }
      const place = await world.say(TASK)
      await world.settled(place)
      expect(verdict(world, place)).toEqual(FAULTLESS)
    },
  )

  test('that lost a creation is looked at twice, 15 s apart, before it is made again', async (context) => {
    const world = await openHasty(context)
    const place = await world.say(TASK)
    await world.until('the card stands', () => world.ours(place).length > 0)
    hurry(world)
    world.slack.faults.failNext('chat.postMessage', {times: 1, applied: false})
    await world.settled(place)
    expect(verdict(world, place)).toEqual(FAULTLESS)
    const lost = callsOf(world, 'chat.postMessage').find(({status}) => status === 0)
    const again = callsOf(world, 'chat.postMessage').find(({seq}) => seq > (lost?.seq ?? Infinity))
    const looks = callsOf(world, 'conversations.replies').filter(
      ({seq}) => seq > (lost?.seq ?? Infinity) && seq < (again?.seq ?? 0),
    )
    expect(looks.length).toBeGreaterThanOrEqual(2)
    expect((looks.at(-1)?.atMs ?? 0) - (looks[0]?.atMs ?? 0)).toBeGreaterThan(14_500 / HASTE)
  })

  test('that does not answer an edit gets it once more when the first can no longer come in between', async (context) => {
    const world = await openHasty(context)
    // It grows for seconds, so that there are edits to be lost on a slow machine, too.
    const fragments = Array.from({length: 100}, (_, index) => `Price ${index} is right. `)
    const steps = [{kind: 'say', fragments, delayMs: 500}] as const
    world.platform.control.planScript({when: {text: 'prices'}, steps: [{kind: 'turn', steps}]})
    const place = await world.say(TASK)
    await world.until('a reply stands', () => world.ours(place).length > 1)
    hurry(world)
    world.slack.faults.failNext('chat.update', {times: 4, applied: true})
    const lostEdit = (): CallRecord | undefined =>
      callsOf(world, 'chat.update').find(
        ({status, args}) =>
          status === 0 && world.ours(place).some(({ts}, at) => at > 0 && ts === args['ts']),
      )
    const lost = await world.until('an edit of a reply is lost', lostEdit)
    await world.settled(place)
    await world.until('it is written again', () =>
      callsOf(world, 'chat.update').some(
        ({args, atMs}) => args['ts'] === lost.args['ts'] && atMs - lost.atMs > 14_500 / HASTE,
      ),
    )
    expect(verdict(world, place)).toEqual(FAULTLESS)
  })

  test.for(['edit_window_closed', 'invalid_blocks'])(
    'that once refuses a card with %s has it up to date later',
    async (error, context) => {
      const world = await openHasty(context)
      const place = await world.say('@Bosun a quick check')
      await world.until('the card stands', () => world.ours(place).length > 0)
      world.slack.faults.failNext('chat.update', {times: 1, applied: false, error})
      hurry(world)
      await world.settled(place)
      expect(verdict(world, place)).toEqual(FAULTLESS)
    },
  )
})

function hitStream({platform}: World, fault: Fault, times = 1): void {
  const match = {method: 'GET', path: '/threads/[^/]+/stream'}
  platform.control.faults.add({match, fault, times})
}

function effects({platform}: World): number {
  return platform.control.faults.list().reduce((sum, rule) => sum + rule.effects, 0)
}

function streamsOf(world: World, place: Place): {seq: number; atMs: number}[] {
  const id = world.threadIn(place)?.id ?? ''
  return world.requests().filter(({path}) => path.includes(`/threads/${id}/stream`))
}

function callsOf({slack}: World, name: string): Readonly<CallRecord>[] {
  return slack.ledger.calls.filter(({method}) => method === name)
}

function lastCallMs({slack}: World): number {
  return slack.ledger.calls.at(-1)?.atMs ?? 0
}

function noticesIn(world: World, place: Place, words: string): number {
  return world.ours(place).filter((message) => JSON.stringify(message).includes(words)).length
}

function isAtWork(world: World, place: Place): boolean {
  return ['active', 'working', 'waiting'].includes(world.threadIn(place)?.status ?? 'working')
}
