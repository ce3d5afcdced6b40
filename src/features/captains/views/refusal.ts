import type {Button, StaticSelect} from '@slack/types'
import {toRejected} from '../../../agents/models/rejected-model.ts'
import type {PlatformModelRejected} from '../../../platform/errors.ts'
import {ACTIONS} from '../../../slack/ids.ts'
import {MAX_NAME, inBold} from '../../../slack/markup/lines.ts'
import {candidateButtons, healthWords} from '../../../slack/draw/rejected-model.ts'
import {type Message, button, section} from '../../../slack/draw/blocks.ts'
import {captainTexts} from '../texts.ts'

/** Why there is no captain yet; what was entered is kept, and can be changed. */
export function drawCaptainRefusal(
  startId: string,
  text: string,
  candidates: readonly (Button | StaticSelect)[] = [],
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
  const rejectedModel = toRejected(error, undefined)
  const {candidates} = rejectedModel
  const elements = candidateButtons(ACTIONS.captainModel, rejectedModel, (which) => {
    const id = which === 'default' ? '' : candidates[Number(which)]?.modelId
    return `${startId} ${id ?? ''}`
  })
  const lines = [
    [
      modelId === undefined ? rejectedSome : rejected(inBold(modelId, MAX_NAME)),
      ...healthWords(error),
    ].join(' '),
    candidates.length === 0 ? noCandidates : headline,
  ]
  return drawCaptainRefusal(startId, lines.join('\n'), elements)
}
