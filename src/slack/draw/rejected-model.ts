import type {Button, StaticSelect} from '@slack/types'
import type {PlatformModelRejected} from '../../platform/errors.ts'
import type {ModelCandidate, RejectedModel} from '../../store/tables/work/link.ts'
import {MAX_NAME, inBold, moment, oneLine} from '../markup/lines.ts'
import {escapeMrkdwn} from '../markup/markup.ts'
import {texts} from '../texts.ts'
import {button, plain} from './blocks.ts'
import {ownOf} from '../../security/foreign-json.ts'

const MAX_WORDS = 200
/** Slack takes so many characters on a button. */
const MAX_LABEL = 70

/** That the model cannot be used, why, and what can be; drawn. `called`: what people here call it. */
export function rejectedText(rejected: RejectedModel, called = rejected.modelId): string {
  const {unknown, did, rejected: named, rejectedSome, candidates, noCandidates} = texts.models
  const why = healthWords(rejected)
  // Nothing is wrong with it but that nobody knows it.
  const isUnknown = why.length === 0 && called !== undefined
  const name = called === undefined ? '' : inBold(called, MAX_NAME)
  const headline = name === '' ? rejectedSome : isUnknown ? unknown(name) : named(name)
  const next = isUnknown ? did : candidates
  return [headline, ...why, rejected.candidates.length === 0 ? noCandidates : next].join(' ')
}

/** In a row Slack takes so many of them; more make a menu. */
const MAX_BUTTONS = 5
/** … and so much of what an entry of it bears. */
const MAX_OPTION_VALUE = 150

/**
 * One for each model that can be used, and one for none. `toValue`: what it bears, by its place among the candidates;
 * `default` for none.
 */
export function candidateButtons(
  actionId: string,
  {candidates}: RejectedModel,
  toValue: (which: string) => string,
): (Button | StaticSelect)[] {
  const none = button(`${actionId}:default`, texts.models.withDefault, toValue('default'))
  if (candidates.length <= MAX_BUTTONS) {
    const buttons = candidates.map((one, index) =>
      button(`${actionId}:${index}`, candidateLabel(one), toValue(String(index))),
    )
    return [...buttons, none]
  }
  const options = candidates.flatMap((one, index) => {
    const value = toValue(String(index))
    return value.length > MAX_OPTION_VALUE ? [] : [{text: plain(candidateLabel(one)), value}]
  })
  const placeholder = plain(texts.models.choose)
  return [{type: 'static_select', action_id: actionId, options, placeholder}, none]
}

/** Which was pressed of {@link candidateButtons}; `undefined` for what is none of them. */
export function readCandidate(
  {candidates}: RejectedModel,
  which: string,
): ModelCandidate | 'default' | undefined {
  if (which === 'default') return which
  return /^\d{1,3}$/.test(which) ? candidates[Number(which)] : undefined
}

/** What a model that can be used is called on its button. */
function candidateLabel({
  modelId,
  name,
  billingLabel = '',
}: Pick<ModelCandidate, 'modelId'> & {
  name?: string | undefined
  billingLabel?: string | undefined
}): string {
  const label = [name?.trim() || modelId, billingLabel].filter(Boolean).join(' · ')
  return oneLine(label, MAX_LABEL)
}

/** Section 7: what is wrong with what the model belongs to, and what can be done. Values that are not listed stand as they come. */
export function healthWords({
  health,
  rejection,
}: Pick<PlatformModelRejected, 'health' | 'rejection'> | RejectedModel): string[] {
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
  const value = word === undefined ? undefined : ownOf(known, word)
  return value === undefined ? [] : [value]
}
