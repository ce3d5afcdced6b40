import {createPacer} from '../../../src/relay/pace/pacer.ts'
import {Secret} from '../../../src/security/secret.ts'
import {createSlackClient} from '../../../src/slack/api/slack-client.ts'
import {createSlackLogger} from '../../../src/slack/api/log.ts'
import {slackBudgets} from '../../../src/slack/api/budgets.ts'
import {answerJson, serve} from '../../platform/http-server.ts'
import {createManualClock} from '../../relay/manual-clock.ts'
import {SILENT_LOG} from '../../support/silent-log.ts'

/** A Slack that answers with these errors, the last one for ever, and what a part of the bot needs to call it. */
export async function slackThatSays(...errors: (string | undefined)[]) {
  const {origin, requests} = await serve((response, _request, count) => {
    const error = errors[Math.min(count, errors.length) - 1]
    const body = error === undefined ? {ok: true} : {ok: false, error}
    if (error === 'ratelimited') response.setHeader('retry-after', '1')
    answerJson(response, error === 'ratelimited' ? 429 : 200, body)
  })
  const clock = createManualClock()
  const client = createSlackClient(async () => new Secret('xoxb-1'), {
    slackApiUrl: `${origin}/api/`,
    logger: createSlackLogger(SILENT_LOG),
    clock,
  })
  const pacer = createPacer({budgets: slackBudgets(1), clock})
  /** The last word of each call's method, and these of its arguments. */
  const calls = (...names: string[]) =>
    requests.map(({url, body}) => {
      const said = new URLSearchParams(body)
      return [/\w+$/.exec(url)?.[0], ...names.map((name) => said.get(name) ?? '')].join(' ')
    })
  return {client, pacer, clock, calls, team: 'T1', log: SILENT_LOG}
}
