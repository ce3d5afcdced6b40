import type {LocalSlackOptions} from '../../../local/slack/options.ts'
import {type LocalSlack, startLocalSlack} from '../../../local/slack/server.ts'
import {Secret} from '../../../src/security/secret.ts'
import {checkSlack} from '../../../src/slack/assumptions/check.ts'
import {type Rewrite, startRewritingProxy} from '../../support/rewriting-proxy.ts'

const CHANNEL = 'C0WEB'
const DOMAIN = 'app.example.com'

export interface Trial {
  /** What the local Slack is not asked to do by itself. */
  rewrite?: (slack: LocalSlack) => Rewrite
  options?: LocalSlackOptions
  isThorough?: boolean
  hasSocket?: boolean
}

/** How much less the check waits, and the local Slack too. */
const TIME_FACTOR = 0.05
/** Slack waits for an acknowledgement, and the check for what comes when there was none. */
const SOCKET_TIME_FACTOR = 0.2
const THOROUGH_TIME_FACTOR = 0.001

/** What the check says of a local Slack, and what it left there. */
export async function trial({rewrite, options, isThorough = false, hasSocket = false}: Trial) {
  await using slack = await startLocalSlack({
    rateScale: Infinity,
    ...(hasSocket && {timeFactor: SOCKET_TIME_FACTOR}),
    unfurlDomains: [DOMAIN],
    agent: {view: 'agent_view', stopEvent: 'subscribed'},
    ...options,
  })
  await using proxy = await startRewritingProxy(slack.origin, rewrite?.(slack) ?? {})
  const outcome = await checkSlack({
    apiUrl: proxy.apiUrl,
    token: new Secret(slack.botToken),
    ...(hasSocket && {appToken: new Secret(slack.appToken)}),
    ...{channel: CHANNEL, user: 'U0SAM', webHost: DOMAIN, isThorough},
    rateScale: 1_000_000,
    timeFactor: isThorough ? THOROUGH_TIME_FACTOR : hasSocket ? SOCKET_TIME_FACTOR : TIME_FACTOR,
    signal: new AbortController().signal,
  })
  const of = (verdict: string): string[] =>
    [...outcome.findings].filter(([, found]) => found.verdict === verdict).map(([id]) => id)
  return {
    ...{calls: outcome.calls, left: outcome.left, findings: outcome.findings},
    ...{differs: of('differs'), untried: of('untried')},
    stands: slack.messages(CHANNEL).map(({text}) => text),
  }
}

/** Slack has enough of the edits that are made in a row, and only of them. */
export function untilEnough({faults}: LocalSlack): Rewrite {
  return {
    before: ({method, args}) => {
      if (method !== 'chat.update' || args['text'] !== 'Edit 12') return undefined
      faults.failNext('chat.update', {times: 1, status: 429, applied: false, retryAfterSeconds: 3})
      return undefined
    },
  }
}
