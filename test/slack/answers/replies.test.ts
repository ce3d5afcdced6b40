import {expect, test} from 'vitest'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createSlackClient} from '../../../src/slack/api/slack-client.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import {createReplies} from '../../../src/slack/answers/replies.ts'
import {answerJson, serve} from '../../platform/http-server.ts'
import {createManualClock} from '../../relay/manual-clock.ts'
import {FRESH_LINK} from '../../support/fresh-link.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

test('a sign to a person waits as long as Slack says, and then comes', async ({onTestFinished}) => {
  let answered = 0
  const {replies, clock, requests} = await open((response) => {
    answered += 1
    if (answered === 1) answerJson(response, 429, {ok: false}, {'retry-after': '6'})
    else answerJson(response, 200, {ok: true})
  })
  onTestFinished(() => replies[Symbol.asyncDispose]())

  const saidAtMs = clock.nowMs()
  replies.whisper(
    {channel: 'C1', user: 'U1', slackThread: undefined},
    {text: 'This work is archived.'},
  )
  await expect.poll(() => clock.pending()).toBeGreaterThan(0)
  expect(requests).toHaveLength(1)
  clock.advanceToNext()
  await expect.poll(() => requests.length).toBe(2)
  expect(clock.nowMs() - saidAtMs).toBeGreaterThanOrEqual(6000)
})

test('a person whom Slack knows by no conversation is told in one that is opened for it', async ({
  onTestFinished,
}) => {
  const {replies, requests} = await open((response, {url, body}) => {
    const isOpening = url.endsWith('conversations.open')
    const isKnown = new URLSearchParams(body).get('channel') === 'D1'
    if (isOpening) answerJson(response, 200, {ok: true, channel: {id: 'D1'}})
    else answerJson(response, 200, isKnown ? {ok: true} : {ok: false, error: 'channel_not_found'})
  })
  onTestFinished(() => replies[Symbol.asyncDispose]())
  replies.tell('U1', {text: 'It was refused.'})
  await expect.poll(() => requests.length).toBe(3)
  expect(requests.map(({url}) => url.split('/').at(-1))).toEqual([
    ...['chat.postMessage', 'conversations.open', 'chat.postMessage'],
  ])
})

test('a reaction is put once, whoever learns first that there is a reason', async ({
  onTestFinished,
}) => {
  const {replies, requests} = await open((response) => answerJson(response, 200, {ok: true}))
  onTestFinished(() => replies[Symbol.asyncDispose]())

  replies.admitted(FRESH_LINK, '1.1')
  replies.admitted(FRESH_LINK, '1.1')
  await expect.poll(() => requests.length).toBe(1)
  replies.admitted(FRESH_LINK, '1.1')
  replies.seen('C1', '1.1')
  // What began the work bears the mark of that alone.
  replies.admitted(FRESH_LINK, '1.0')
  replies.cancelled(FRESH_LINK, '1.0')
  replies.admitted(FRESH_LINK, '1.2')
  await expect.poll(() => requests.length).toBe(3)
})

test('a reaction that Slack refused is put when there is a reason again', async ({
  onTestFinished,
}) => {
  let answered = 0
  const {replies, requests} = await open((response) => {
    answered += 1
    answerJson(response, 200, answered === 1 ? {ok: false, error: 'not_in_channel'} : {ok: true})
  })
  onTestFinished(() => replies[Symbol.asyncDispose]())

  replies.admitted(FRESH_LINK, '1.1')
  await expect.poll(() => requests.length).toBe(1)
  await expect
    .poll(() => {
      replies.admitted(FRESH_LINK, '1.1')
      return requests.length
    })
    .toBe(2)
})

test('a reaction that Slack did not take in time is told in the log, and put when there is a reason again', async ({
  onTestFinished,
}) => {
  let isBusy = true
  const {replies, clock, requests, warned} = await open((response) =>
    answerJson(response, isBusy ? 429 : 200, {ok: !isBusy}, isBusy ? {'retry-after': '3'} : {}),
  )
  onTestFinished(() => replies[Symbol.asyncDispose]())

  replies.admitted(FRESH_LINK, '1.1')
  for (let tries = 1; tries <= 5; tries += 1) {
    await expect.poll(() => requests.length).toBe(tries)
    if (tries === 5) break
    await expect.poll(() => clock.pending()).toBeGreaterThan(0)
    clock.advanceToNext()
  }
  await expect.poll(() => warned).toEqual(['A sign to a person was lost'])
  isBusy = false
  clock.advance(60_000)
  replies.admitted(FRESH_LINK, '1.1')
  await expect.poll(() => requests.length).toBe(6)
})

/** Replies of one workspace, on a clock of their own, to a Slack that answers like this. */
const DRAWN = {
  text: 'Total $1.00',
  blocks: [{type: 'divider' as const}],
  plain: [{type: 'section' as const, text: {type: 'mrkdwn' as const, text: 'Total $1.00'}}],
}

const TOO_LONG = {ok: false, error: 'msg_blocks_too_long'}

/** What a call or an answer says, as a form or as JSON. */
function toFields(body = ''): {text?: unknown; blocks?: unknown; channel?: unknown} {
  return body.startsWith('{')
    ? (JSON.parse(body) as object)
    : Object.fromEntries(new URLSearchParams(body))
}

test('blocks that Slack does not take are said in plain ones', async ({onTestFinished}) => {
  const {replies, requests} = await open((response) =>
    answerJson(
      response,
      200,
      requests.length > 1 ? {ok: true} : {ok: false, error: 'invalid_blocks'},
    ),
  )
  onTestFinished(() => replies[Symbol.asyncDispose]())

  replies.whisper({channel: 'C1', user: 'U1', slackThread: undefined}, DRAWN)
  await expect.poll(() => requests.length).toBe(2)
  const blocks = requests.map(({body}) => new URLSearchParams(body).get('blocks'))
  expect(blocks).toEqual([JSON.stringify(DRAWN.blocks), JSON.stringify(DRAWN.plain)])
})

test('what Slack takes in no blocks is said in words alone, wherever it is said', async () => {
  const {replies, requests, origin} = await open((response) => {
    const {blocks} = toFields(requests.at(-1)?.body)
    answerJson(response, 200, blocks === undefined ? {ok: true} : TOO_LONG)
  })
  const asker = {channel: 'C1', user: 'U1', slackThread: undefined}
  replies.whisper(asker, DRAWN)
  await expect.poll(() => requests.length).toBe(3)
  replies.respond(
    {...asker, responseUrl: `${origin}/response/1`},
    {text: DRAWN.text, blocks: DRAWN.blocks},
  )
  await expect.poll(() => requests.length).toBe(6)
  await replies[Symbol.asyncDispose]()
  const said = requests.map(({body}) => toFields(body))
  expect(said.map(({text}) => text)).toEqual(Array.from({length: 6}, () => DRAWN.text))
  expect(said.map(({blocks}) => blocks !== undefined)).toEqual([
    true,
    true,
    false,
    true,
    true,
    false,
  ])
})

test('nobody who is not there is told in any form', async () => {
  const absent = {ok: false, error: 'user_not_in_channel'}
  const {replies, requests} = await open((response) =>
    answerJson(response, 200, requests.length > 1 ? {ok: true} : absent),
  )
  replies.whisper({channel: 'C1', user: 'U1', slackThread: undefined}, DRAWN)
  await expect.poll(() => requests.length).toBe(2)
  await replies[Symbol.asyncDispose]()
  // In their direct messages.
  expect(requests.map(({body}) => toFields(body).channel)).toEqual(['C1', 'U1'])
})

test.each([500, 502, 503])(
  'an answer that may have been shown is not said once more: %i',
  async (status) => {
    const {replies, requests, origin} = await open((response) =>
      answerJson(response, status, {ok: false}),
    )
    const asker = {channel: 'C1', user: 'U1', slackThread: undefined}
    replies.respond({...asker, responseUrl: `${origin}/response/1`}, DRAWN)
    await replies[Symbol.asyncDispose]()
    expect(requests).toHaveLength(1)
  },
)

test.each([
  [400, 'what Slack answers'],
  [200, 'what it says although it answers well'],
])('so is what answers a command, by %s: %s', async (status) => {
  const {replies, requests, origin} = await open((response) =>
    requests.length > 1
      ? answerJson(response, 200, {ok: true})
      : answerJson(response, status, {ok: false, error: 'invalid_blocks'}),
  )
  try {
    replies.respond(
      {responseUrl: `${origin}/response/1`, channel: 'C1', user: 'U1', slackThread: undefined},
      DRAWN,
    )
    await expect.poll(() => requests.length).toBe(2)
    const bodies = requests.map(({body}) => JSON.parse(body) as Record<string, unknown>)
    expect(bodies.map(({blocks}) => blocks)).toEqual([DRAWN.blocks, DRAWN.plain])
    expect(bodies.some((body) => 'plain' in body)).toBe(false)
  } finally {
    await replies[Symbol.asyncDispose]()
  }
})

test('a whisper that is longer than Slack takes in a text is told in blocks, all of it', async () => {
  const {replies, requests} = await open((response) => answerJson(response, 200, {ok: true}))
  const asker = {channel: 'C1', user: 'U1', slackThread: undefined}
  const lines = Array.from({length: 80}, (_, at) => `${at}. ${'&lt;'.repeat(15)}`)
  replies.whisper(asker, {text: lines.join('\n')})
  replies.whisper(asker, {text: lines.join('\n'), blocks: DRAWN.blocks})
  await replies[Symbol.asyncDispose]()
  const [plain, drawn] = requests.map(({body}) => new URLSearchParams(body))
  for (const one of [plain, drawn]) expect(one?.get('text')?.length).toBeLessThanOrEqual(4000)
  for (const line of lines) expect(plain?.get('blocks')).toContain(line)
  expect(drawn?.get('blocks')).toBe(JSON.stringify(DRAWN.blocks))
})

test('what was done is also said, though the workspace becomes somebody else’s just then', async () => {
  let answered = 0
  const {replies, requests, origin} = await open((response) => {
    setTimeout(() => {
      answered += 1
      answerJson(response, 200, {ok: true})
    }, 100)
  })
  const asker = {channel: 'C1', user: 'U1', slackThread: undefined}
  replies.whisper(asker, {text: 'It is saved.'})
  replies.respond({...asker, responseUrl: `${origin}/response/1`}, {text: 'It is on.'})
  await replies[Symbol.asyncDispose]()
  expect(requests).toHaveLength(2)
  expect(answered).toBe(2)
})

test('Slack may take its time with that, where the bot itself goes on', async () => {
  let answered = 0
  const {replies} = await open((response) => {
    setTimeout(() => {
      answered += 1
      answerJson(response, 200, {ok: true})
    }, 2500)
  })
  replies.whisper({channel: 'C1', user: 'U1', slackThread: undefined}, {text: 'It is saved.'})
  await replies[Symbol.asyncDispose]()
  expect(answered).toBe(1)
})

test('what Slack does not take for long keeps no bot from a stop', async () => {
  const opened = await Promise.all(
    ['goes on', 'stops'].map(async (name) => {
      const stopping = new AbortController()
      const {replies, requests} = await open(
        (response) => answerJson(response, 429, {ok: false}, {'retry-after': '3600'}),
        stopping.signal,
      )
      replies.whisper({channel: 'C1', user: 'U1', slackThread: undefined}, {text: 'It is saved.'})
      await expect.poll(() => requests.length).toBe(1)
      const ended = replies[Symbol.asyncDispose]().then(() => name)
      return {stop: () => stopping.abort(), ended, requests}
    }),
  )
  opened[1]?.stop()
  expect(await Promise.race(opened.map(({ended}) => ended))).toBe('stops')
  opened[0]?.stop()
  await Promise.all(opened.map(({ended}) => ended))
  expect(opened.map(({requests}) => requests.length)).toEqual([1, 1])
})

async function open(answer: Parameters<typeof serve>[0], stopping = new AbortController().signal) {
  const {origin, requests} = await serve(answer)
  const clock = createManualClock()
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    ...{slackApiUrl: `${origin}/api/`, logger: createSlackLogger(SILENT_LOG), clock},
  })
  const pacer = createPacer({budgets: slackBudgets(1), clock})
  const apiUrl = `${origin}/api/`
  const warned: string[] = []
  const log = {...SILENT_LOG, warn: (_details: object, message: string) => warned.push(message)}
  const replies = createReplies({client, apiUrl, pacer, team: 'T1', log, stopping})
  return {replies, clock, requests, warned, origin}
}
