import type {CallRecord, DeliveryRecord} from '../edge/ledger.ts'
import {quote, toLint, type Finding, type Lint} from './lint.ts'
import {contentFindings} from './content-lints.ts'
import {scopesFor} from '../edge/scopes.ts'

interface CallLintParts {
  calls: readonly CallRecord[]
  deliveries: readonly DeliveryRecord[]
  declaredScopes: (appId: string | undefined) => readonly string[] | undefined
  timeFactor: number
}

/** What is wrong with single calls. */
export function callLints({calls, deliveries, declaredScopes, timeFactor}: CallLintParts): Lint[] {
  const triggered = new Map(
    deliveries.flatMap(({payload, atMs}) => {
      const id = payload['trigger_id']
      return typeof id === 'string' ? [[id, atMs] as const] : []
    }),
  )
  return calls.flatMap((call) =>
    [
      ...refusal(call),
      ...scope(call, declaredScopes(call.appId)),
      ...legacy(call),
      ...contentFindings(call.method, call.args),
      ...recipients(call),
      ...trigger(call, triggered, timeFactor),
    ].map((finding) => toLint(call, finding)),
  )
}

/** Slack's own troubles, which no app can help. */
const troubles = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']

function refusal({status, answer}: CallRecord): Finding[] {
  const {ok, error, response_metadata: pointers} = answer
  if (ok === true || status === 0 || status >= 500 || troubles.includes(String(error))) return []
  if (status === 429) {
    return [{kind: 'rate-limited', level: 'warning', words: 'is over its rate'}]
  }
  const more = pointers === undefined ? '' : ` ${quote(JSON.stringify(pointers))}`
  return [{kind: 'refused', words: `is refused with ${String(error)}${more}`}]
}

function scope({method, answer}: CallRecord, declared: readonly string[] | undefined): Finding[] {
  const needed = scopesFor(method) ?? []
  if (declared === undefined || needed.length === 0 || answer['error'] === 'missing_scope')
    return []
  if (needed.some((one) => declared.includes(one))) return []
  return [{kind: 'undeclared-scope', words: `needs ${needed.join(' or ')}, which is not declared`}]
}

/** https://docs.slack.dev/reference/methods/chat.postMessage#legacy-concerns */
function legacy({args}: CallRecord): Finding[] {
  const {as_user: asUser, link_names: linkNames, parse} = args
  return [
    ...(asUser === undefined ? [] : ['as_user']),
    ...(isOn(linkNames) ? ['link_names'] : []),
    ...(parse === 'full' ? ['parse: full'] : []),
  ].map((name) => ({kind: 'legacy-argument', words: `uses ${name}`}))
}

function isOn(flag: unknown): boolean {
  return flag === true || flag === 1 || flag === 'true' || flag === '1'
}

/** Optional in direct messages by the page, and asked for there by some workspaces. */
function recipients({method, args}: CallRecord): Finding[] {
  if (method !== 'chat.startStream') return []
  const missing = ['recipient_user_id', 'recipient_team_id'].filter(
    (name) => typeof args[name] !== 'string' || args[name] === '',
  )
  return missing.length === 0
    ? []
    : [{kind: 'no-recipient', words: `starts a stream without ${missing.join(' and ')}`}]
}

/** A trigger dies after 3 s: https://docs.slack.dev/surfaces/modals#opening */
const lateTriggerMs = 2_500

function trigger(
  {args, arrivedAtMs}: CallRecord,
  triggered: ReadonlyMap<string, number>,
  timeFactor: number,
): Finding[] {
  const givenAtMs = triggered.get(String(args['trigger_id']))
  const ageMs = givenAtMs === undefined ? 0 : arrivedAtMs - givenAtMs
  if (ageMs <= lateTriggerMs * timeFactor) return []
  return [{kind: 'late-trigger', words: `uses a trigger that is ${ageMs} ms old`}]
}
