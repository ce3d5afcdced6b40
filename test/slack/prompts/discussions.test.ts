import {expect, test} from 'vitest'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {type TimeSlices, createTimeSlices} from '../../../src/async/time-slices.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createSlackClient} from '../../../src/slack/api/slack-client.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import type {Names} from '../../../src/slack/markup/markup.ts'
import {createDiscussions} from '../../../src/slack/prompts/discussions.ts'
import {createQuotedReader, quote} from '../../../src/slack/prompts/quoting.ts'
import {answerJson, serve} from '../../platform/http-server.ts'
import {createManualClock} from '../../relay/manual-clock.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

test('the newest of a long Slack thread go along, though Slack tells the oldest first', async () => {
  const {origin, requests} = await serve((response, {body}) => {
    const page = Number(new URLSearchParams(body).get('cursor') ?? 0)
    const messages = Array.from({length: 30}, (_, index) => {
      const at = page * 30 + index
      return {type: 'message', user: 'U1', ts: `${1000 + at}.000000`, text: `said ${at}`}
    })
    const next = page < 3 ? String(page + 1) : ''
    answerJson(response, 200, {ok: true, messages, response_metadata: {next_cursor: next}})
  })
  const names = {user: async () => 'Jane', channel: async () => 'web', place: async () => 'web'}
  const read = openDiscussions(origin, names)

  const stretch = {channel: 'C1', slackThread: '1000.000000', beforeTs: '1119.000000'}
  const said = await read(stretch, new AbortController().signal)
  const newest = Array.from({length: 20}, (_, index) => `said ${99 + index}`)
  expect(said?.map(({text}) => text)).toEqual(['said 0', ...newest])
  expect(requests).toHaveLength(4)
})

test('one that somebody wants whole goes along as far as an agent can take it', async () => {
  const texts = (count: number, text: string) =>
    Array.from({length: count}, (_, index) => ({
      ...{type: 'message', user: 'U1', ts: `${1000 + index}.000000`, text: `${index} ${text}`},
    }))
  const readWhole = async (messages: readonly object[]) => {
    const {origin} = await serve((response) => answerJson(response, 200, {ok: true, messages}))
    const read = openDiscussions(origin, {
      user: async () => 'Jane',
      channel: async () => 'web',
      place: async () => 'web',
    })
    const stretch = {channel: 'C1', slackThread: '1000.000000', isWhole: true} as const
    const said = await read(stretch, new AbortController().signal)
    return said?.map(({text}) => Number.parseInt(text)) ?? []
  }
  const from = (first: number, last: number) =>
    Array.from({length: last - first + 1}, (_, index) => first + index)
  expect(await readWhole(texts(200, 'said'))).toEqual(from(0, 199))
  // The root, and the newest 500.
  expect(await readWhole(texts(700, 'said'))).toEqual([0, ...from(200, 699)])
  // The root, and the newest within 100,000 characters: each has 4,004 or 4,003.
  expect(await readWhole(texts(60, 'x'.repeat(4000)))).toEqual([0, ...from(36, 59)])
})

test('what people say aside stays between them, also where somebody wants the whole', async () => {
  const {origin} = await serve((response) => {
    const said = ['<@U2> look', '!aside not the budget', '<@UBOT> !Aside nor this', 'and !aside']
    const messages = said.map((text, index) => ({
      ...{type: 'message', user: 'U1', ts: `${1000 + index}.000000`, text},
    }))
    answerJson(response, 200, {ok: true, messages})
  })
  const names = {user: async () => 'Jane', channel: async () => 'web', place: async () => 'web'}
  const read = openDiscussions(origin, names)
  const stretch = {channel: 'C1', slackThread: '1000.000000', isWhole: true} as const
  const quoted = await read(stretch, new AbortController().signal)
  expect(quoted?.map(({text}) => text)).toEqual(['@Jane look', 'and !aside'])
})

test('whatever else there is to do has its turn while long messages are read', async () => {
  const written = '<@U1>, see <https://a.example/b|this>. '.repeat(1000)
  const readable = '@Jane, see this (https://a.example/b). '.repeat(1000)
  const {origin} = await serve((response) => {
    const messages = Array.from({length: 21}, (_, index) => ({
      ...{type: 'message', user: 'U1', ts: `${1000 + index}.000000`, text: written},
      attachments: [{is_share: true, author_name: 'Kim', text: written}],
    }))
    answerJson(response, 200, {ok: true, messages})
  })
  let inThisTurn = 0
  let most = 0
  const names = {
    user: async () => {
      inThisTurn += 1
      most = Math.max(most, inThisTurn)
      return 'Jane'
    },
    channel: async () => 'web',
    place: async () => 'web',
  }
  let askedTimes = 0
  // One turn has time for a few pieces.
  const read = openDiscussions(origin, names, createTimeSlices({nowMs: () => (askedTimes += 0.1)}))
  let isRead = false
  const elsewhere = (): void => {
    inThisTurn = 0
    if (!isRead) setImmediate(elsewhere)
  }
  elsewhere()
  const stretch = {channel: 'C1', slackThread: '1000.000000'}
  const said = (await read(stretch, new AbortController().signal)) ?? []
  isRead = true

  expect(said).toHaveLength(21)
  expect(most).toBeLessThan(200)
  // Nothing is missing of what is quoted.
  const whole = {
    ...{author: 'Jane', text: readable, files: []},
    forwarded: [{author: 'Kim', text: readable}],
  }
  expect(quote('', said)).toBe(
    quote(
      '',
      Array.from(said, () => whole),
    ),
  )
})

test('what an app says goes along wherever it stands, and of what we say the text alone', async () => {
  const attachments = [
    {
      title: 'Checkout is slow',
      text: 'p95 is 4 s; ask <@U1>',
      fields: [{title: 'Env', value: 'live'}],
    },
    {is_share: true, author_name: 'Kim', text: 'it was fast on Monday'},
  ]
  const button = {type: 'button', text: {type: 'plain_text', text: 'Stop'}, value: 'secret'}
  const {origin} = await serve((response) => {
    const messages = [
      {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B2',
        username: 'Alerts',
        text: '',
        attachments,
      },
      {
        type: 'message',
        user: 'UBOT',
        bot_id: 'BBOT',
        text: 'Working',
        blocks: [{elements: [button]}],
      },
      {
        type: 'message',
        bot_id: 'BBOT',
        username: 'Ada',
        text: 'Mine',
        blocks: [{elements: [button]}],
      },
    ]
    const told = messages.map((one, index) => ({...one, ts: `${1000 + index}.000000`}))
    answerJson(response, 200, {ok: true, messages: told})
  })
  const read = openDiscussions(origin, {
    user: async () => 'Jane',
    channel: async () => 'web',
    place: async () => 'web',
  })
  const stretch = {channel: 'C1', slackThread: '1000.000000'}
  expect(await read(stretch, new AbortController().signal)).toMatchObject([
    {
      author: 'Alerts (app)',
      text: 'Checkout is slow\np95 is 4 s; ask @Jane\nEnv\nlive',
      forwarded: [{author: 'Kim', text: 'it was fast on Monday'}],
    },
    {text: 'Working'},
    {text: 'Mine'},
  ])
})

function openDiscussions(origin: string, names: Names, turns?: TimeSlices) {
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    slackApiUrl: `${origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  const pacer = createPacer({budgets: slackBudgets(1), clock: createManualClock()})
  const readQuoted = createQuotedReader(turns)
  const us = {botUserId: 'UBOT', botId: 'BBOT'}
  return createDiscussions({client, pacer, team: 'T1', ...us, names, readQuoted, log: SILENT_LOG})
}
