import {expect, onTestFinished, test} from 'vitest'
import {createConfessions} from '../../src/app/confessions.ts'
import {systemClock} from '../../src/async/clock.ts'
import {createPacer} from '../../src/relay/pace/pacer.ts'
import {Secret} from '../../src/security/secret.ts'
import {createLateCalls} from '../../src/slack/api/late-calls.ts'
import {createSlackLogger} from '../../src/slack/api/log.ts'
import {createSlackClient} from '../../src/slack/api/slack-client.ts'
import {answerJson, serve} from '../platform/http-server.ts'
import {temporaryStore} from '../store/temporary-store.ts'
import {SILENT_LOG} from '../support/silent-log.ts'

/** Of the answers to a method the first is given once, the last for ever. */
async function open(answers: Readonly<Record<string, string[]>>) {
  const {announcements, handovers} = await temporaryStore()
  const slack = await serve((response, {url}) => {
    const left = answers[url.replace('/api/', '')] ?? []
    const [error] = left.length > 1 ? left.splice(0, 1) : left
    answerJson(response, 200, error === undefined || error === '' ? {ok: true} : {ok: false, error})
  })
  const lateCalls = createLateCalls({
    claim: {mayCall: () => true, over: new AbortController().signal},
    isShared: true,
    confess: () => undefined,
    clock: systemClock,
  })
  const access = {slackApiUrl: `${slack.origin}/api/`, logger: createSlackLogger(SILENT_LOG)}
  const confessions = createConfessions({
    ...{team: 'T1', handovers, lateCalls, log: SILENT_LOG},
    client: createSlackClient(async () => new Secret('xoxb'), access),
    pacer: createPacer({budgets: {}, clock: systemClock}),
  })
  onTestFinished(() => confessions[Symbol.asyncDispose]())
  return {
    announcements,
    calls: () => slack.requests.map(({url}) => url.replace('/api/', '')),
    confess: async (...made: string[]) => {
      for (const [index, ts] of made.entries()) {
        await handovers.confess('T1', {did: 'made', channel: 'C1', ts}, index)
      }
      confessions.wake()
    },
    left: async () => (await handovers.confessions('T1')).map(({call}) => call.ts),
  }
}

test('a message that still streams goes once its stream has ended', async () => {
  const {confess, left, calls} = await open({'chat.delete': ['cant_delete_message', '']})
  await confess('1.0')
  await expect.poll(left).toEqual([])
  expect(calls()).toEqual(['chat.delete', 'chat.stopStream', 'chat.delete'])
})

test('what Slack will never undo is left, and holds up nothing behind it', async () => {
  const {confess, left, calls} = await open({'chat.delete': ['is_archived', '']})
  await confess('1.0', '2.0')
  await expect.poll(left).toEqual([])
  expect(calls()).toEqual(['chat.delete', 'chat.delete'])
})

test('what Slack may undo later is tried again, and holds up nothing behind it', async () => {
  const {confess, left, calls} = await open({'chat.delete': ['internal_error', '']})
  await confess('1.0', '2.0')
  await expect.poll(left).toEqual(['1.0'])
  await expect.poll(left).toEqual([])
  expect(calls()).toHaveLength(3)
})

test('a message goes only once it is certain that it is no announcement that is looked for there', async () => {
  const {announcements, confess, left, calls} = await open({})
  const head = {id: 'a1', team: 'T1', channel: 'C1', threadId: 't1', connectionId: undefined}
  const announcement = await announcements.open({...head, words: {}}, 0)
  await announcements.intend(announcement)
  await confess('1.0')
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([await left(), calls()]).toEqual([['1.0'], []])
  await announcements.move('a1', 'placed', '1.0')
  await expect.poll(left).toEqual([])
  expect(calls()).toEqual([])
})
