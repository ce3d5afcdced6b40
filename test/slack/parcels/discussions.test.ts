import {expect, test} from 'vitest'
import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createSlackClient} from '../../../src/slack/api/calls.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {slackBudgets} from '../../../src/slack/api/rates.ts'
import {createDiscussions} from '../../../src/slack/parcels/discussions.ts'
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
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    slackApiUrl: `${origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
  })
  const pacer = createPacer({budgets: slackBudgets(1), clock: createManualClock()})
  const names = {user: async () => 'Jane', channel: async () => 'web'}
  const read = createDiscussions({client, pacer, team: 'T1', names, log: SILENT_LOG})

  const stretch = {channel: 'C1', slackThread: '1000.000000', beforeTs: '1119.000000'}
  const said = await read(stretch, new AbortController().signal)
  const newest = Array.from({length: 20}, (_, index) => `said ${99 + index}`)
  expect(said?.map(({text}) => text)).toEqual(['said 0', ...newest])
  expect(requests).toHaveLength(4)
})
