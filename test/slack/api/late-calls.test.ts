import {expect, test} from 'vitest'
import {systemClock} from '../../../src/async/clock.ts'
import {Secret} from '../../../src/security/secret.ts'
import {type LateCall, createLateCalls} from '../../../src/slack/api/late-calls.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {
  type SlackAccess,
  callSlack,
  createSlackClient,
} from '../../../src/slack/api/slack-client.ts'
import {answerJson, serve} from '../../platform/http-server.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

const metadata = {event_type: 'bosun_post', event_payload: {link: 'l', key: 'card'}}

/** A workspace's client against a Slack that answers when it is let. */
async function open(access: Pick<SlackAccess, 'fetch' | 'timeoutMs'> = {}) {
  const held: (() => void)[] = []
  let holds = false
  const slack = await serve((response) => {
    const answer = (): void => answerJson(response, 200, {ok: true, ts: '7.0', channel: 'C1'})
    if (holds) held.push(answer)
    else answer()
  })
  const over = new AbortController()
  let isOurs = true
  const confessed: LateCall[] = []
  const lateCalls = createLateCalls({
    claim: {mayCall: () => isOurs, over: over.signal},
    isShared: true,
    confess: (late) => confessed.push(late),
    clock: systemClock,
  })
  const client = createSlackClient(async () => new Secret('xoxb'), {
    slackApiUrl: `${slack.origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
    watch: lateCalls,
    ...access,
  })
  const call = (method: string, args: Readonly<Record<string, string>>) =>
    callSlack(() => client.apiCall(method, args))
  return {
    ...{slack, client, call, lateCalls, confessed, held},
    hold: () => (holds = true),
    /** Nobody knows whose it is, or it is somebody else's. */
    doubt: () => (isOurs = false),
    keep: () => (isOurs = true),
    lose: () => {
      isOurs = false
      over.abort()
    },
  }
}

const post = {channel: 'C1', text: 'hello', metadata}

test('what is answered in time is nothing to confess', async () => {
  const {client, confessed} = await open()
  await client.chat.postMessage(post)
  expect(confessed).toEqual([])
})

test.each([
  ['made', (client: Awaited<ReturnType<typeof open>>['client']) => client.chat.postMessage(post)],
  [
    'changed',
    (client: Awaited<ReturnType<typeof open>>['client']) =>
      client.chat.update({channel: 'C1', ts: '7.0', text: 'late'}),
  ],
])('what was %s too late is confessed once it is somebody else’s', async (did, call) => {
  const {client, confessed, held, hold, lose} = await open()
  hold()
  const calling = call(client)
  await expect.poll(() => held.length).toBe(1)
  lose()
  held[0]?.()
  await calling
  await expect.poll(() => confessed).toEqual([{did, channel: 'C1', ts: '7.0'}])
})

test('a call that went out after its process had stood still is confessed, too', async () => {
  const {client, confessed, lose} = await open({
    timeoutMs: 400,
    fetch: (url, init) => {
      // As a process that is stopped between the fence and the first byte: others have the workspace when it goes on.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
      lose()
      return fetch(url, init)
    },
  })
  await client.chat.update({channel: 'C1', ts: '7.0', text: 'late'})
  await expect.poll(() => confessed).toEqual([{did: 'changed', channel: 'C1', ts: '7.0'}])
})

test('what turns out to be ours all the same is nothing to confess', async () => {
  const {client, confessed, held, hold, doubt, keep, lose} = await open()
  hold()
  const calling = client.chat.postMessage(post)
  await expect.poll(() => held.length).toBe(1)
  doubt()
  held[0]?.()
  await calling
  keep()
  await new Promise((resolve) => setTimeout(resolve, 600))
  lose()
  expect(confessed).toEqual([])
})

test('a message that an owner before made too late goes', async () => {
  const {slack, call, lateCalls} = await open()
  const late = {did: 'made', channel: 'C1', ts: '7.0'} as const
  await lateCalls.heed(late, call)
  expect(slack.requests.map(({url}) => url)).toEqual(['/api/chat.delete'])
})

test('over what an owner before wrote too late the newest words are written once more', async () => {
  const {slack, client, call, lateCalls} = await open()
  const late = {did: 'changed', channel: 'C1', ts: '7.0'} as const
  await lateCalls.heed(late, call)
  expect(slack.requests).toEqual([])
  await client.chat.update({channel: 'C1', ts: '7.0', text: 'first'})
  await client.chat.update({channel: 'C1', ts: '7.0', text: 'newest'})
  await lateCalls.heed(late, call)
  const said = slack.requests.map(({body}) => new URLSearchParams(body).get('text'))
  expect(said).toEqual(['first', 'newest', 'newest'])
})

test('what an agent’s machine posted is found by its key, and nothing to confess', async () => {
  const {client, confessed, held, hold, lose} = await open()
  hold()
  const event_payload = {link: 'l', key: 'machine:1:0'}
  const calling = [{...metadata, event_payload}, metadata].map((marks) =>
    client.chat.postMessage({...post, metadata: marks}),
  )
  await expect.poll(() => held.length).toBe(2)
  lose()
  for (const answer of held) answer()
  await Promise.all(calling)
  await expect.poll(() => confessed).toHaveLength(1)
})

test('the newest words go from owner to owner, so that the next one can write them once more', async () => {
  const before = await open()
  await before.client.chat.update({channel: 'C1', ts: '7.0', text: 'newest of the one before'})
  await before.client.chat.update({channel: 'C1', ts: '8.0', text: 'older'})
  const next = await open()
  await next.client.chat.update({channel: 'C1', ts: '8.0', text: 'newest'})
  next.lateCalls.inherit(before.lateCalls.newest())
  const from = next.slack.requests.length
  for (const ts of ['7.0', '8.0']) {
    await next.lateCalls.heed({did: 'changed', channel: 'C1', ts}, next.call)
  }
  const sent = next.slack.requests
    .slice(from)
    .map(({body}) => new URLSearchParams(body).get('text'))
  expect(sent).toEqual(['newest of the one before', 'newest'])
})

test('of many words the newest are remembered', async () => {
  const {slack, client, call, lateCalls} = await open()
  const words = 'x'.repeat(4000)
  for (let ts = 1; ts <= 100; ts += 1) {
    await client.chat.update({channel: 'C1', ts: `${ts}.0`, text: words})
  }
  const all = Object.keys(lateCalls.newest())
  expect(all.length).toBeLessThan(70)
  expect(all.at(-1)).toBe('C1 100.0')
  const from = slack.requests.length
  for (const ts of ['1.0', '100.0']) {
    await lateCalls.heed({did: 'changed', channel: 'C1', ts}, call)
  }
  expect(slack.requests.slice(from)).toHaveLength(1)
})
