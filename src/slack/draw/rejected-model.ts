import type {RejectedModel} from '../../store/tables/work/link.ts'
import {MAX_NAME, inBold, moment, oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'

const MAX_WORDS = 200
/** Slack takes so many characters on a button. */
const MAX_LABEL = 70

/** That the model cannot be used, and why; drawn. `called`: what people here call it. */
export function rejectedText(rejected: RejectedModel, called = rejected.modelId): string {
  const {rejected: named, rejectedSome} = texts.models
  const headline = called === undefined ? rejectedSome : named(inBold(called, MAX_NAME))
  return [headline, ...healthWords(rejected)].join(' ')
}

/** What a model that can be used is called on its button. */
export function candidateLabel({modelId, name, billingLabel}: RejectedModel['candidates'][number]) {
  const label = [name ?? modelId, billingLabel ?? ''].filter(Boolean).join(' · ')
  return oneLine(label, MAX_LABEL) || modelId.slice(0, MAX_LABEL)
}

/** Section 7: what is wrong with what the model belongs to, and what can be done. Values that are not listed stand as they come. */
function healthWords({health, rejection}: RejectedModel): string[] {
  const words = texts.models.health
  const {states, actions, reasons} = words
  if (health === undefined) return listed(reasons, rejection)
  const {state = '', kind, provider = '', action, resetsAt} = health
  const name = escapeMrkdwn(oneLine(provider, MAX_WORDS))
  const whose = kind === 'key' ? words.key(name) : words.subscription(name)
  const [say] = listed(states, state)
  const atMs = Date.parse(resetsAt ?? '')
  return [
    ...(state === ''
      ? []
      : [say?.(whose) ?? words.unknown(whose, escapeMrkdwn(oneLine(state, MAX_WORDS)))]),
    ...listed(actions, action),
    ...(Number.isNaN(atMs) ? [] : [words.resets(moment(atMs))]),
  ]
}

function listed<Value>(known: Readonly<Record<string, Value>>, word: string | undefined): Value[] {
  const value = word !== undefined && Object.hasOwn(known, word) ? known[word] : undefined
  return value === undefined ? [] : [value]
}
