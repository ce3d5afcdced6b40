import {expect, onTestFinished, test} from 'vitest'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createSlackClient} from '../../../src/slack/api/slack-client.ts'
import {uploadFor} from '../../../src/slack/api/direct-files.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import {answerJson, reasonOf, serve} from '../../platform/http-server.ts'
import {createManualClock} from '../../relay/manual-clock.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

/** A Slack that says "not now" where the test says so. */
async function open({isOpened = true} = {}) {
  const busy = new Set<string>()
  const slack = await serve((response, {url, headers, body}) => {
    const isById = new URLSearchParams(body).get('channel') === 'U1'
    if (!isOpened && isById) answerJson(response, 200, {ok: false, error: 'channel_not_found'})
    else if (url.endsWith('conversations.open')) {
      answerJson(response, 200, {ok: true, channel: {id: 'D1'}})
    } else if (busy.has(url)) answerJson(response, 429, {ok: false}, {'retry-after': '5'})
    else {
      const address = {upload_url: `http://${headers.host ?? ''}/put`, file_id: 'F1'}
      answerJson(response, 200, {ok: true, channel: 'D1', ...address})
    }
  })
  const clock = createManualClock()
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    ...{slackApiUrl: `${slack.origin}/api/`, logger: createSlackLogger(SILENT_LOG), clock},
  })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const pacer = createPacer({budgets: slackBudgets(1), clock})
  const by = {client, pacer, team: 'T1', signal: stop.signal}
  const file = {name: 'audit.csv', text: 'Here it is.', bytes: Buffer.from('a,b')}
  const asked = () => slack.requests.map(({url}) => url.replace('/api/', ''))
  const posted = () => {
    const [post] = slack.requests.filter(({url}) => url.endsWith('chat.postMessage'))
    return Object.fromEntries(new URLSearchParams(post?.body))
  }
  return {busy, clock, asked, posted, upload: () => uploadFor(by, file)}
}

test('a file for one person is uploaded, announced and shown', async () => {
  const {asked, posted, upload} = await open()
  await (await upload()).tell('U1')
  expect(asked()).toEqual([
    ...['files.getUploadURLExternal', '/put', 'chat.postMessage', 'files.completeUploadExternal'],
  ])
  expect(posted()).toMatchObject({unfurl_links: 'false', unfurl_media: 'false'})
})

test('a file for one person goes where a conversation has to be opened first', async () => {
  const {asked, upload} = await open({isOpened: false})
  await (await upload()).tell('U1')
  expect(asked().slice(2)).toEqual([
    ...['chat.postMessage', 'conversations.open', 'chat.postMessage'],
    'files.completeUploadExternal',
  ])
})

test.each(['/api/files.getUploadURLExternal', '/put'])(
  'where %s says "not now", no file is uploaded before it allows that',
  async (url) => {
    const {busy, clock, asked, upload} = await open()
    busy.add(url)
    expect(await reasonOf(upload())).toMatchObject({kind: 'wait', retryAfterMs: 5000})
    const before = asked().length
    busy.clear()
    const second = upload()
    clock.advance(4900)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(asked()).toHaveLength(before)
    clock.advance(200)
    await second
    expect(asked().slice(before)).toEqual(['files.getUploadURLExternal', '/put'])
  },
)
