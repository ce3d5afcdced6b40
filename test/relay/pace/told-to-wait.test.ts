import {expect, test} from 'vitest'
import {NotOurs} from '../../../src/async/fence.ts'
import {SlackError} from '../../../src/once/slack-error.ts'
import {type Pacer, createPacer} from '../../../src/relay/pace/pacer.ts'
import {toldToWait} from '../../../src/relay/pace/told-to-wait.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {callSlack, createSlackClient} from '../../../src/slack/api/slack-client.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'
import {createManualClock} from '../manual-clock.ts'

const METHOD = 'chat.update'
const budgets = {[METHOD]: [{perMinute: 60, burst: 20, per: 'workspace' as const}]}
const scope = {team: 'T1', method: METHOD}
const ask = {...scope, channel: 'C1', rank: 'final' as const, sinceMs: 0, notBeforeMs: 0}

/** What a workspace's client makes of a call that the way out does not let go. */
async function errorOf(fetch: () => Promise<never>): Promise<SlackError> {
  const client = createSlackClient(async () => new Secret('xoxb'), {
    slackApiUrl: 'http://127.0.0.1:9/api/',
    logger: createSlackLogger(SILENT_LOG),
    fetch,
  })
  const call = callSlack(() => client.chat.update({channel: 'C1', ts: '1.0', text: 'x'}))
  const error: unknown = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof SlackError)) throw new Error('It went out')
  return error
}

/** How many may go now. */
async function atOnce(pacer: Pacer): Promise<number> {
  for (let count = 0; ; count += 1) {
    const {granted, leave} = pacer.queue([ask])
    leave()
    if ((await granted) === undefined) return count
  }
}

test.each([
  ['that was not ours to make', 'not_ours', 19],
  ['that Slack did not want yet', 'ratelimited', 9],
])('after a call %s nothing goes for a while', async (_what, code, most) => {
  const clock = createManualClock()
  const pacer = createPacer({budgets, clock})
  const notOurs = await errorOf(() =>
    Promise.reject(new TypeError('fetch failed', {cause: new NotOurs('no more')})),
  )
  expect(notOurs).toMatchObject({kind: 'wait', code: 'not_ours', retryAfterMs: 1000})
  const limited = new SlackError('wait', 'ratelimited', {retryAfterMs: 1000})
  toldToWait(pacer, scope, code === 'not_ours' ? notOurs : limited)
  expect(pacer.isPaused(ask)).toBe(true)
  clock.advance(60_000)
  expect(pacer.isPaused(ask)).toBe(false)
  expect(await atOnce(pacer)).toBe(most)
})
