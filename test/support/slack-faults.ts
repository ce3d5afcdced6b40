import type {Dice} from '../../local/platform/agent/dice.ts'
import type {Faults} from '../../local/slack/edge/faults.ts'
import type {CallRecord} from '../../local/slack/edge/ledger.ts'

type Failure = Parameters<Faults['failNext']>[1]

/** Something that goes wrong with one call of Slack's Web API. */
interface SlackFault {
  name: string
  weight: number
  method: string
  failure: (dice: Dice) => Failure
  /** The bot waits over 5 s for it, by nature. */
  isSlow?: true
}

const once = {times: 1} as const

/** The methods, by how often. */
const METHODS = [
  ['chat.postMessage', 12],
  ['chat.update', 24],
  ['chat.delete', 4],
  ['chat.startStream', 4],
  ['chat.appendStream', 12],
  ['chat.stopStream', 4],
  ['conversations.replies', 4],
  ['reactions.add', 4],
  ['files.getUploadURLExternal', 1],
  ['files.completeUploadExternal', 1],
] as const

/** What Slack may have against a message that it takes in another form, or not there. */
const REFUSALS: Readonly<Record<string, readonly string[]>> = {
  'chat.postMessage': ['msg_too_long', 'invalid_blocks', 'an_error_of_tomorrow'],
  'chat.update': [
    ...['msg_too_long', 'invalid_blocks', 'an_error_of_tomorrow'],
    ...['edit_window_closed', 'cant_update_message', 'update_failed'],
  ],
  'chat.startStream': ['channel_type_not_supported', 'an_error_of_tomorrow'],
  'chat.appendStream': [
    ...['message_not_in_streaming_state', 'stopped_by_user', 'an_error_of_tomorrow'],
  ],
  'chat.stopStream': ['message_not_in_streaming_state', 'an_error_of_tomorrow'],
}

/** Of the 429s that are asked for here. The stand-in's own, at the rates of these runs, say 1. */
export const OUR_RETRY_AFTER_S = 2

/** The message has to go and come again, which waits for whatever is open in its Slack thread. */
const LOCKED: ReadonlySet<string> = new Set(['edit_window_closed', 'cant_update_message'])
const MAKING: ReadonlySet<string> = new Set([
  'chat.postMessage',
  'chat.startStream',
  'files.completeUploadExternal',
])
const LATE_FROM_MS = 400
const ERRORS = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'] as const

export const SLACK_FAULTS: readonly SlackFault[] = METHODS.flatMap(([method, times]) => {
  const of = (name: string, weight: number, failure: SlackFault['failure']): SlackFault => ({
    ...{method, weight: weight * times, failure},
    name: `${method}: ${name}`,
    // A creation that may have been applied is looked for twice, 15 s apart.
    ...(MAKING.has(method) && /before/.test(name) && {isSlow: true as const}),
  })
  return [
    of('answer lost after it was applied', 3, () => ({...once, applied: true})),
    of('lost before it was applied', 1, () => ({...once, applied: false})),
    of('5xx after it was applied', 2, (dice) => ({
      ...{...once, applied: true},
      status: dice.pick([500, 502, 503] as const),
    })),
    of('5xx before it was applied', 1, (dice) => ({
      ...{...once, applied: false},
      status: dice.pick([500, 502, 503] as const),
    })),
    of('an error before it was applied', 1, (dice) => ({
      ...{...once, applied: false},
      error: dice.pick(ERRORS),
    })),
    of('late', 4, (dice) => ({...once, applied: true, delayMs: dice.int(LATE_FROM_MS, 2500)})),
    ...(REFUSALS[method] ?? []).map((error) =>
      Object.assign(
        of(error, 1, () => ({...once, applied: false, error})),
        LOCKED.has(error) && {isSlow: true as const},
      ),
    ),
  ]
})

/** Names the fault that this call met, as the ledger tells it. */
export function faultOf(call: CallRecord): string | undefined {
  const {method, status, applied, answer, atMs, arrivedAtMs} = call
  const {error} = answer
  if (status === 0) {
    return `${method}: ${applied ? 'answer lost after it was applied' : 'lost before it was applied'}`
  }
  if (status >= 500) return `${method}: 5xx ${applied ? 'after' : 'before'} it was applied`
  if (REFUSALS[method]?.some((it) => it === error) === true) return `${method}: ${String(error)}`
  if (ERRORS.some((it) => it === error)) return `${method}: an error before it was applied`
  return atMs - arrivedAtMs >= LATE_FROM_MS ? `${method}: late` : undefined
}
