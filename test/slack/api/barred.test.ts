import {expect, test} from 'vitest'
import {Secret} from '../../../src/security/secret.ts'
import {createBar} from '../../../src/slack/api/barred.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {callSlack, createSlackClient} from '../../../src/slack/api/slack-client.ts'
import {answerJson, reasonOf, serve} from '../../platform/http-server.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

async function clientOf(isBarred: (channel: string) => Promise<boolean>) {
  const {origin, requests} = await serve((response) => answerJson(response, 200, {ok: true}))
  const client = createSlackClient(async () => new Secret('xoxb-x'), {
    slackApiUrl: `${origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
    bar: createBar({team: 'T1', barredChannels: {isBarred: ({channel}) => isBarred(channel)}}),
  })
  return {client, requests}
}

/** What all who read a channel see, by the pages of the methods on docs.slack.dev; the last one is none that we know. */
const SHOWN: [string, Record<string, unknown>][] = [
  ['chat.postMessage', {channel: 'C1', text: 'x'}],
  ['chat.update', {channel: 'C1', ts: '1.1', text: 'x'}],
  ['chat.startStream', {channel: 'C1', thread_ts: '1.1'}],
  ['chat.appendStream', {channel: 'C1', ts: '1.1', markdown_text: 'x'}],
  ['files.completeUploadExternal', {channel_id: 'C1', files: [{id: 'F1'}]}],
  ['canvases.access.set', {canvas_id: 'F1', access_level: 'read', channel_ids: ['C2', 'C1']}],
  ['assistant.threads.setStatus', {channel_id: 'C1', thread_ts: '1.1', status: 'x'}],
  ['reactions.add', {channel: 'C1', timestamp: '1.1', name: 'x'}],
  ['something.new', {channel: 'C1'}],
]

test('what all in a barred channel would see does not go out, and elsewhere it does', async () => {
  const {client, requests} = await clientOf(async (channel) => channel === 'C1')
  for (const [method, args] of SHOWN) {
    const error = await reasonOf(callSlack(() => client.apiCall(method, args)))
    expect([method, error]).toEqual([
      method,
      expect.objectContaining({
        name: 'SlackError',
        kind: 'unusable',
        code: 'shared_with_another_company',
      }),
    ])
  }
  expect(requests).toHaveLength(0)
  for (const [method, args] of SHOWN) {
    const elsewhere = JSON.parse(JSON.stringify(args).replaceAll('C1', 'C3')) as typeof args
    await callSlack(() => client.apiCall(method, elsewhere))
  }
  expect(requests).toHaveLength(SHOWN.length)
})

test('what one person sees, what is taken away and what is asked goes out', async () => {
  const {client, requests} = await clientOf(async () => true)
  await client.chat.postEphemeral({channel: 'C1', user: 'U1', text: 'x'})
  await client.chat.delete({channel: 'C1', ts: '1.1'})
  await client.conversations.info({channel: 'C1'})
  await client.users.info({user: 'U1'})
  expect(requests).toHaveLength(4)
})

test('nothing goes out while nobody knows, and is tried again', async () => {
  const {client, requests} = await clientOf(() => Promise.reject(new Error('no database')))
  const post = () => client.chat.postMessage({channel: 'C1', text: 'x'})
  const error = await reasonOf(callSlack(post))
  expect(error).toMatchObject({
    name: 'SlackError',
    kind: 'wait',
    retryAfterMs: 1000,
    isAnswered: true,
  })
  expect(requests).toHaveLength(0)
})
