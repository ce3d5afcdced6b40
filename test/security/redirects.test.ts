import {describe, expect, test} from 'vitest'
import {systemClock} from '../../src/async/clock.ts'
import {createPacer} from '../../src/relay/pace/pacer.ts'
import {Secret} from '../../src/security/secret.ts'
import {toSharedFile} from '../../src/slack/incoming/message.ts'
import {isAddressOf} from '../../src/slack/api/file-download.ts'
import {createSlackClient, isSlacks} from '../../src/slack/api/slack-client.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import {slackBudgets} from '../../src/slack/api/budgets.ts'
import {fileReaderOf} from '../support/file-reader.ts'
import {createWriter} from '../../src/slack/posts/writer.ts'
import {createReplies} from '../../src/slack/answers/replies.ts'
import {answerJson, clientTo, serve} from '../platform/http-server.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

const token = new Secret('xoxb-canary')
const tokenOf = async () => token

/** One server that sends everybody on to another one, which writes down who comes. */
async function openTrap(status: number) {
  const trap = await serve((response) => response.writeHead(200).end('{"ok":true}'))
  const server = await serve((response) => {
    response.writeHead(status, {location: `${trap.origin}/caught`, 'retry-after': '1'}).end()
  })
  return {trap, server}
}

const slackAt = (slackApiUrl: string) =>
  createSlackClient(tokenOf, {slackApiUrl, logger: createSlackLogger(SILENT_LOG)})

const repliesTo = (apiUrl: string) =>
  createReplies({
    client: slackAt(apiUrl),
    pacer: createPacer({budgets: slackBudgets(1e6), clock: systemClock}),
    ...{apiUrl, team: 'T1', log: SILENT_LOG, stopping: new AbortController().signal},
  })

describe.each([301, 302, 303, 307, 308])('a redirect (%i) to another origin', (status) => {
  test('is not followed with the platform’s key', async () => {
    const {trap, server} = await openTrap(status)
    const signal = AbortSignal.timeout(5000)
    const client = clientTo(server.origin, {retries: 1})
    await expect(client.getThread('thread_x', signal)).rejects.toThrow()
    await expect(client.archive('thread_x', signal)).rejects.toThrow()
    expect(server.requests.length).toBeGreaterThan(1)
    expect(trap.requests).toEqual([])
  })

  test('is not followed with Slack’s token', async () => {
    const {trap, server} = await openTrap(status)
    const client = slackAt(`${server.origin}/api/`)
    await expect(client.auth.test()).rejects.toThrow()
    expect(server.requests).toHaveLength(1)
    expect(trap.requests).toEqual([])
  })

  test('is not followed to a file, nor with an answer', async () => {
    const {trap, server} = await openTrap(status)
    const apiUrl = `${server.origin}/api/`
    const read = fileReaderOf({tokenOf, apiUrl})
    const file = {
      id: 'F1',
      name: 'a.txt',
      mimetype: 'text/plain',
      size: 5,
      url: `${server.origin}/f`,
    }
    expect(await read([file], AbortSignal.timeout(5000))).toMatchObject({texts: []})
    await using replies = repliesTo(apiUrl)
    const asked = {responseUrl: `${server.origin}/r`, channel: 'C1', user: 'U1'}
    replies.respond({...asked, slackThread: undefined}, {text: 'for Jane alone'})
    await expect.poll(() => server.requests.length).toBe(2)
    await replies[Symbol.asyncDispose]()
    expect(trap.requests).toEqual([])
  })
})

test('an upload is not sent on to where a redirect leads', async () => {
  const {trap, server} = await openTrap(307)
  const slack = await serve((response) => {
    const answer = {ok: true, upload_url: `${server.origin}/u`, file_id: 'F1'}
    answerJson(response, 200, answer)
  })
  const access = {slackApiUrl: `${slack.origin}/api/`, logger: createSlackLogger(SILENT_LOG)}
  const writer = createWriter({
    ...{
      client: createSlackClient(tokenOf, access),
      webUrl: undefined,
      botId: 'B1',
      botUserId: 'U0BOT',
    },
    names: {user: async (id) => id, channel: async (id) => id, place: async (id) => id},
    sessions: {ending: async (_place, end) => end('closed')},
  })
  const place = {team: 'T1', channel: 'C1', slackThread: '1.2'}
  const said = {kind: 'file', markdown: 'what the agent said'} as const
  await expect(writer.upload(place, said)).rejects.toThrow()
  expect(server.requests).toHaveLength(1)
  expect(trap.requests).toEqual([])
})

const API = 'https://slack.com/api/'

test.each([
  ...['https://hooks.slack.com/commands/T1/2/x', 'https://slack.com/x', 'https://a.b.slack.com/'],
  ...['https://HOOKS.SLACK.COM/x', 'https://files.slack.com/files-pri/T1-F1/a.txt'],
])('%s is Slack’s', (address) => {
  expect(isSlacks(address, API)).toBe(true)
})

test.each([
  ...['http://hooks.slack.com/x', 'https://slack.com.example/x', 'https://evilslack.com/'],
  ...['https://slack.com@example.com/', 'https://example.com/slack.com', 'https://slack.com.'],
  ...['https://127.0.0.1/', 'http://169.254.169.254/', 'https://[::1]/', 'file:///etc/passwd'],
  ...['ftp://hooks.slack.com/', 'javascript:1', '', 'hooks.slack.com', '//hooks.slack.com/x'],
  ...['https://example.com#.slack.com', 'https://example.com?.slack.com', 'https://slack.co/m'],
  ...['https://example.com\\.slack.com', 'https://xn--slck-7qa.com', 'https://ѕlack.com/'],
])('%s is not', (address) => {
  expect(isSlacks(address, API)).toBe(false)
})

const F2 = {id: 'F2', apiUrl: API}
const OWN = {id: 'F2', apiUrl: 'http://127.0.0.1:4011/api/'}
const BARE = {id: 'F2', apiUrl: 'http://127.0.0.1:4011/'}

test.each([
  [F2, 'https://files.slack.com/files-pri/T1-F2/notes.txt'],
  [F2, 'https://files.slack.com/files-pri/T1-F2/download/notes.txt?origin_team=T3'],
  [F2, 'https://acme.enterprise.slack.com/files-pri/E1-F2/a/b'],
  [F2, 'https://acme.slack.com/docs/T1/F2'],
  // Elsewhere nobody knows how files are named.
  [OWN, 'http://127.0.0.1:4011/files-pri/T1-F2/notes.txt'],
  [OWN, 'http://127.0.0.1:4011/any/file'],
  [BARE, 'http://127.0.0.1:4011/files/notes.txt'],
])('of %o the bytes lie at %s', ({id, apiUrl}, url) => {
  expect(isAddressOf({id, url}, apiUrl)).toBe(true)
})

test.each([
  [F2, 'https://slack.com/api/conversations.history?channel=C1&limit=200'],
  [F2, 'https://slack.com/api/auth.revoke'],
  [F2, 'https://slack.com/api//files-pri/T1-F2/x'],
  [F2, 'https://acme.slack.com/api/auth.revoke#/files-pri/T1-F2/x'],
  [F2, 'https://files.slack.com/files-pri/T1-F3/another.txt'],
  [F2, 'https://acme.slack.com/files-pri/T1-F2/..%2f..%2fapi%2fauth.revoke'],
  [F2, 'https://files.slack.com/files-pri/T1-F22/another.txt'],
  [F2, 'https://files.slack.com/files-pri/T1-F3/T1-F2/x'],
  [F2, 'https://files.example/files-pri/T1-F2/notes.txt'],
  [OWN, 'http://127.0.0.1:4011/api/auth.revoke'],
  [OWN, 'http://127.0.0.1:4011/api//auth.revoke/'],
  [BARE, 'http://127.0.0.1:4011/auth.revoke'],
])('of %o they do not lie at %s, whatever a payload says', ({id, apiUrl}, url) => {
  expect(isAddressOf({id, url}, apiUrl)).toBe(false)
})

test('a file from elsewhere has no address: whoever added it has chosen that', () => {
  const url = 'https://files.slack.com/files-pri/T1-F2/notes.txt'
  const file = {id: 'F2', name: 'notes.txt', url_private: url}
  expect(toSharedFile(file).url).toBe(url)
  for (const more of [{is_external: true}, {mode: 'external'}]) {
    expect(toSharedFile({...file, ...more}).url).toBeUndefined()
  }
})

test('nothing goes to an address in a payload that is not Slack’s', async () => {
  const elsewhere = await serve((response) => response.writeHead(200).end())
  const slack = await serve((response) => {
    response.writeHead(200, {'content-type': 'application/json'}).end('{"ok":true}')
  })
  const apiUrl = `${slack.origin}/api/`
  await using replies = repliesTo(apiUrl)
  const asked = {responseUrl: `${elsewhere.origin}/r`, channel: 'C1', user: 'U1'}
  replies.respond({...asked, slackThread: undefined}, {text: 'hi'})
  await expect.poll(() => slack.requests.map(({url}) => url)).toEqual(['/api/chat.postEphemeral'])
  const read = fileReaderOf({tokenOf, apiUrl})
  const file = {id: 'F1', name: 'a', mimetype: 'text/plain', size: 5, url: `${elsewhere.origin}/f`}
  expect(await read([file], AbortSignal.timeout(5000))).toMatchObject({
    notPassed: [{name: 'a', why: 'unreadable'}],
  })
  expect(elsewhere.requests).toEqual([])
})
