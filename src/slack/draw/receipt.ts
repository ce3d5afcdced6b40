import type {Announcement} from '../../store/announcements.ts'
import {ACTIONS} from '../ids.ts'
import {texts} from '../texts.ts'
import {type DrawnMessage, MAX_NAME, button, inBold, section} from './blocks.ts'

/** A channel hears what came of a delivery to its hook. */
export function drawReceipt({words: {receipt}}: Announcement): DrawnMessage {
  const {hookId = '', name = '', outcome = ''} = receipt ?? {}
  const {receipts, unknownReceipt, log} = texts.hooks
  const say = Object.hasOwn(receipts, outcome)
    ? receipts[outcome as keyof typeof receipts]
    : unknownReceipt
  const text = say(inBold(name, MAX_NAME))
  const isGood = outcome === 'accepted' || outcome === 'duplicate'
  return {
    text,
    blocks: [
      section(text),
      ...(isGood
        ? []
        : [{type: 'actions' as const, elements: [button(ACTIONS.hookLog, log, hookId)]}]),
    ],
  }
}
