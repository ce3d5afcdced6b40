import {describe, expect, test} from 'vitest'
import {createOvertaken} from '../../../src/features/conversation/overtaken.ts'
import {SlackError} from '../../../src/once/slack-error.ts'
import type {PersonsMessage} from '../../../src/slack/incoming/message.ts'

const mention = {
  ...{kind: 'message', team: 'T1', channel: 'C1', ts: '5.0', threadTs: undefined},
  isDirect: false,
} as unknown as PersonsMessage
const keyOf = (ts: string, channel = 'C1') => JSON.stringify(['message', 'T1', channel, ts])
const envelope = JSON.stringify({team_id: 'T1', event: {type: 'app_mention'}})

/** What was handled before the mention, and what Slack says of the thread. */
function setUp(handled: string[], answer: () => object) {
  const reopened: unknown[] = []
  let reads = 0
  const overtaken = createOvertaken({
    inbox: {
      handledBefore: async ({lane}: {lane: string}) =>
        lane === 'lane' ? handled.map((key, id) => ({id, key})) : [],
      reopen: async (id: number, body: string) => void reopened.push([id, JSON.parse(body)]),
    } as never,
    client: {
      conversations: {
        replies: async () => {
          reads += 1
          return answer()
        },
      },
    } as never,
    pacer: {next: async () => 0, pause: () => undefined} as never,
    leaks: {cleanAll: (body: object) => body} as never,
  })
  const run = async () =>
    overtaken(mention, {
      row: {id: 9, lane: 'lane', body: envelope},
      signal: new AbortController().signal,
    } as never)
  return {run, reopened, reads: () => reads}
}

describe('replies that came before the mention', () => {
  const said = {
    messages: [
      {ts: '5.0', text: 'hi'},
      {ts: '5.1', text: 'as it is now'},
    ],
  }

  test('are handled once more, with what they say by now', async () => {
    const {run, reopened} = setUp([keyOf('5.1'), keyOf('5.2')], () => said)
    await run()
    expect(reopened).toEqual([
      [
        0,
        {team_id: 'T1', event: {ts: '5.1', text: 'as it is now', type: 'message', channel: 'C1'}},
      ],
    ])
  })

  test('are sought only where something was handled that may be one', async () => {
    const others = [keyOf('4.9'), keyOf('5.0'), keyOf('5.1', 'C2'), '["press","x"]']
    const {run, reads, reopened} = setUp(others, () => said)
    await run()
    expect([reads(), reopened]).toEqual([0, []])
  })

  test.each(['wait', 'retry', 'dead'] as const)('wait for Slack where it says %s', async (kind) => {
    const {run, reopened} = setUp([keyOf('5.1')], () => {
      throw new SlackError(kind, 'ratelimited', {retryAfterMs: 7000})
    })
    await expect(run()).rejects.toMatchObject({name: 'TryLater', afterMs: 7000})
    expect(reopened).toEqual([])
  })

  test('stay talk between people where we may not read them', async () => {
    const {run, reopened} = setUp([keyOf('5.1')], () => {
      throw new SlackError('unusable', 'not_in_channel')
    })
    await run()
    expect(reopened).toEqual([])
  })
})
