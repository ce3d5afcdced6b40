import type {Button} from '@slack/types'
import type {PlatformModelRejected} from '../../../platform/errors.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold} from '../../../slack/markup/lines.ts'
import {candidateLabel, healthWords} from '../../../slack/draw/rejected-model.ts'
import {type Message, button, section} from '../../../slack/draw/blocks.ts'
import {captainTexts} from '../texts.ts'

/** Slack takes so many characters in what a button bears, and so many buttons in a row. */
const MAX_VALUE = 2000
const MAX_BUTTONS = 24

/** Why there is no captain yet; what was entered is kept, and can be changed. */
export function drawCaptainRefusal(
  startId: string,
  text: string,
  candidates: readonly Button[] = [],
): Message {
  const change = button(ACTIONS.captainChange, captainTexts.change, startId)
  const elements = [...candidates, change]
  return {text, blocks: [section(text), {type: 'actions', elements}]}
}

/** The plan has no such thing; a captain without its picture can be had with one press. */
export function drawMissingFeature(startId: string, feature: string | undefined): Message {
  const plain = button(ACTIONS.captainPlain, captainTexts.withoutPicture, startId)
  const offers = feature === 'captain_image' ? [plain] : []
  return drawCaptainRefusal(startId, captainTexts.feature(feature), offers)
}

/** The model cannot be used: why, and which can. */
export function drawRejectedModel(startId: string, error: PlatformModelRejected): Message {
  const {rejected, rejectedSome, candidates: headline, noCandidates} = captainTexts
  const {modelId} = error
  const usable = error.candidates.flatMap(({entryId, name, billingLabel}, index) => {
    const bears = `${startId} ${entryId ?? ''}`
    if (entryId === undefined || entryId === '' || bears.length > MAX_VALUE) return []
    const label = candidateLabel({modelId: entryId, name, billingLabel})
    return [button(`${ACTIONS.captainModel}:${index}`, label, bears)]
  })
  const lines = [
    [
      modelId === undefined ? rejectedSome : rejected(inBold(modelId, MAX_NAME)),
      ...healthWords(error),
    ].join(' '),
    usable.length === 0 ? noCandidates : headline,
  ]
  return drawCaptainRefusal(startId, lines.join('\n'), usable.slice(0, MAX_BUTTONS))
}
